'use client';

import { useTranslations } from 'next-intl';
import { Button } from '#components/ui/button.tsx';
import { ScrollRegion } from '#components/ui/scroll-region.tsx';
import type { McpToolView } from '#lib/mcp/contract.ts';
import { type DiffLine, diffLines } from './line-diff.ts';

interface ToolChangeProps {
  before: McpToolView['definition'];
  after: McpToolView['definition'];
  canAccept: boolean;
  isSending: boolean;
  onAccept: () => void;
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const LOOKS = { same: 'text-muted-foreground', removed: 'bg-destructive/10 text-destructive', added: 'bg-ok/10 text-ok' } as const;

/** What a server says of a tool now beside what was accepted; the tool stays aside until somebody has read it and said so. */
export function ToolChange({ before, after, canAccept, isSending, onAccept }: ToolChangeProps) {
  const t = useTranslations('mcp.tools');
  const lines = diffLines(toText(before), toText(after));
  return (
    <div className="mt-2 flex flex-col items-start gap-2 border-s-2 border-warn ps-3">
      <p className="text-ui">{t('changedBody')}</p>
      <ScrollRegion label={t('changes')} className="max-h-80 w-full rounded-control border border-border bg-sunken py-1">
        <ol className="font-mono text-meta">
          {numbered(lines).map(({ key, kind, text }) => (
            <li key={key} className={`flex gap-2 px-2 whitespace-pre-wrap ${LOOKS[kind]}`}>
              <span aria-hidden className="select-none">
                {SIGNS[kind]}
              </span>
              {kind === 'same' ? null : <span className="sr-only">{t(kind)}</span>}
              <span className="min-w-0 break-words">{text}</span>
            </li>
          ))}
        </ol>
      </ScrollRegion>
      {canAccept ? (
        <Button size="small" onClick={onAccept} disabled={isSending}>
          {isSending ? t('accepting') : t('accept')}
        </Button>
      ) : null}
    </div>
  );
}

function numbered(lines: readonly DiffLine[]): (DiffLine & { key: string })[] {
  return lines.map((line, index) => ({ ...line, key: String(index) }));
}

function toText({ title, description, inputSchema, annotations }: McpToolView['definition']): string {
  return [title ?? '', description, JSON.stringify(inputSchema, null, 2), annotations ? JSON.stringify(annotations, null, 2) : '']
    .filter((part) => part !== '')
    .join('\n');
}
