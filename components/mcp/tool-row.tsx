'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestDone } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { useMe } from '#components/shell/me-scope.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/input.tsx';
import { JsonView } from '#components/ui/json-view.tsx';
import { Badge, StateChip } from '#components/ui/state-chip.tsx';
import { Switch } from '#components/ui/switch.tsx';
import type { McpToolView } from '#lib/mcp/contract.ts';
import { ToolChange } from './tool-change.tsx';
import { TryTool } from './try-tool.tsx';

const EFFECTS = ['read', 'write', 'destructive'] as const;
const REPEATS = ['none', 'keyed', 'idempotent'] as const;

/** One tool: its name as it is called, what it says of itself, and what the workspace says of it. */
export function ToolRow({ serverId, tool, canManage }: { serverId: string; tool: McpToolView; canManage: boolean }) {
  const t = useTranslations('mcp.tools');
  const { tenant } = useMe();
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const path = `/api/t/${tenant.slug}/mcp/servers/${serverId}/tools/${tool.id}`;
  const change = async (body: object) => {
    const isDone = await send(() => requestDone(path, { method: 'PATCH', body }));
    if (isDone) router.refresh();
  };
  return (
    <li className="border-b border-border py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-mono text-ui font-semibold break-all">{tool.capabilityId}</h3>
        <ToolState tool={tool} />
        <Badge>{t(`effects.${tool.sideEffect}`)}</Badge>
      </div>
      {tool.definition.description === '' ? null : (
        <p className="mt-1 line-clamp-3 max-w-[80ch] text-ui break-words whitespace-pre-line text-muted-foreground">
          {tool.definition.description}
        </p>
      )}
      {tool.problem ? <p className="mt-1 text-ui text-warn">{t(`problems.${tool.problem}`)}</p> : null}
      {tool.isShadowed ? <p className="mt-1 text-ui text-warn">{t('shadowed')}</p> : null}
      {tool.pending ? (
        <ToolChange
          before={tool.definition}
          after={tool.pending.definition}
          canAccept={canManage}
          isSending={isSending}
          onAccept={() => void change({ accept: tool.pending?.hash })}
        />
      ) : null}
      {failure ? <FailureNotice failure={failure} /> : null}
      <details className="mt-2">
        <summary className="touchable inline-flex cursor-pointer text-meta text-muted-foreground hover:text-foreground">
          {t('more')}
        </summary>
        <div className="mt-2 flex flex-col gap-4 ps-4">
          {canManage ? (
            <div className="flex flex-col gap-3">
              <Switch
                label={t('enabled')}
                hint={t('enabledHint')}
                isOn={tool.isEnabled}
                isDisabled={isSending}
                onChange={(isEnabled) => void change({ isEnabled })}
              />
              <div className="grid gap-4 sm:grid-cols-2">
                <Field label={t('effect')} hint={t('effectHint')}>
                  {(control) => (
                    <Select
                      {...control}
                      value={tool.sideEffect}
                      disabled={isSending}
                      onChange={(event) => void change({ sideEffect: event.target.value })}
                    >
                      {EFFECTS.map((effect) => (
                        <option key={effect} value={effect}>
                          {t(`effects.${effect}`)}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
                <Field label={t('repeat')} hint={t('repeatHint')}>
                  {(control) => (
                    <Select
                      {...control}
                      value={tool.idempotency}
                      disabled={isSending}
                      onChange={(event) => void change({ idempotency: event.target.value })}
                    >
                      {REPEATS.map((repeat) => (
                        <option key={repeat} value={repeat}>
                          {t(`repeats.${repeat}`)}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
              </div>
            </div>
          ) : null}
          <Hints annotations={tool.definition.annotations} />
          {canManage ? <TryTool path={path} tool={tool} /> : null}
          <div>
            <h4 className="mb-1 text-meta font-medium">{t('schema')}</h4>
            <JsonView value={tool.definition.inputSchema} label={t('schemaOf', { name: tool.name })} />
          </div>
        </div>
      </details>
    </li>
  );
}

function ToolState({ tool }: { tool: McpToolView }) {
  const t = useTranslations('mcp.tools.states');
  if (!tool.isListed) return <StateChip tone="idle">{t('gone')}</StateChip>;
  if (tool.pending) return <StateChip tone="warn">{t('changed')}</StateChip>;
  if (tool.problem) return <StateChip tone="error">{t('unusable')}</StateChip>;
  if (!tool.isEnabled) return <StateChip tone="stopped">{t('off')}</StateChip>;
  return tool.isCallable ? <StateChip tone="ok">{t('on')}</StateChip> : <StateChip tone="stopped">{t('serverOff')}</StateChip>;
}

function Hints({ annotations }: { annotations: McpToolView['definition']['annotations'] }) {
  const t = useTranslations('mcp.tools');
  const said = Object.entries(annotations ?? {}).filter(([, value]) => value === true);
  if (said.length === 0) return null;
  return (
    <p className="text-meta text-muted-foreground">
      {t('hints')} <code className="font-mono">{said.map(([name]) => name).join(', ')}</code>
    </p>
  );
}
