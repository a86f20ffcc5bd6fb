'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { requestJson } from '#components/api/request.ts';
import { useSending } from '#components/api/use-sending.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Textarea } from '#components/ui/input.tsx';
import { ScrollRegion } from '#components/ui/scroll-region.tsx';
import { StateChip } from '#components/ui/state-chip.tsx';
import { type McpToolView, type TriedToolView, triedToolView } from '#lib/mcp/contract.ts';

/** Calls the tool once with arguments as JSON. It is a call like any other: what it does is done, and is on the record. */
export function TryTool({ path, tool }: { path: string; tool: McpToolView }) {
  const t = useTranslations('mcp.tools.try');
  const { isSending, failure, send } = useSending();
  const [text, setText] = useState(() => exampleOf(tool.definition.inputSchema));
  const [isWrong, setIsWrong] = useState(false);
  const [tried, setTried] = useState<TriedToolView | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const args = parse(text);
    setIsWrong(args === null);
    if (args === null) return;
    setTried(null);
    void send(async () => setTried(await requestJson(`${path}/try`, triedToolView, { method: 'POST', body: { arguments: args } })));
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col items-start gap-2">
      <Field label={t('arguments')} hint={t('hint')} problem={isWrong ? t('wrong') : null} className="w-full">
        {(control) => (
          <Textarea
            {...control}
            className="min-h-20 font-mono"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" size="small" disabled={isSending || !tool.isCallable}>
        {isSending ? t('trying') : t('call')}
      </Button>
      {failure ? <FailureNotice failure={failure} /> : null}
      <div role="status" className="w-full">
        {tried ? (
          <div className="flex flex-col gap-1">
            <StateChip tone={tried.ok ? 'ok' : 'error'}>{t(tried.ok ? 'succeeded' : 'failed', { ms: tried.ms })}</StateChip>
            <ScrollRegion label={t('result')} className="max-h-60 rounded-control border border-border bg-sunken p-2">
              <pre className="font-mono text-meta whitespace-pre-wrap">
                {tried.message ?? (tried.text === '' ? JSON.stringify(tried.output, null, 2) : tried.text)}
              </pre>
            </ScrollRegion>
          </div>
        ) : null}
      </div>
    </form>
  );
}

/** What is required, to be filled in. */
function exampleOf(schema: McpToolView['definition']['inputSchema']): string {
  const names = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
  return names.length === 0 ? '{}' : JSON.stringify(Object.fromEntries(names.map((name) => [name, ''])), null, 2);
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
