import { useTranslations } from 'next-intl';
import { Field } from '#components/ui/field.tsx';
import { Textarea } from '#components/ui/input.tsx';
import type { McpServerView } from '#lib/mcp/contract.ts';
import type { ServerDraft } from './server-draft.ts';

interface HeaderFieldsProps {
  server: McpServerView | null;
  draft: ServerDraft;
  problem: string | null;
  areRemoved: boolean;
  onRemove: (areRemoved: boolean) => void;
  onChange: (part: Partial<ServerDraft>) => void;
}

/** What is sent with each request. Stored headers are never shown: an empty field keeps them. */
export function HeaderFields({ server, draft, problem, areRemoved, onRemove, onChange }: HeaderFieldsProps) {
  const t = useTranslations('mcp.form');
  return (
    <>
      <Field label={t('headers')} hint={t(server && server.headerNames.length > 0 ? 'headersKeep' : 'headersHint')} problem={problem}>
        {(control) => (
          <Textarea
            {...control}
            className="min-h-16 font-mono"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            disabled={areRemoved}
            value={draft.headers}
            onChange={(event) => onChange({ headers: event.target.value })}
          />
        )}
      </Field>
      {server && server.headerNames.length > 0 ? (
        <label className="touchable flex items-center gap-2 self-start text-ui">
          <input
            type="checkbox"
            checked={areRemoved}
            onChange={(event) => {
              onRemove(event.target.checked);
              onChange({ headers: '' });
            }}
            className="accent-primary"
          />
          {t('removeHeaders', { names: server.headerNames.join(', ') })}
        </label>
      ) : null}
    </>
  );
}
