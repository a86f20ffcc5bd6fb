'use client';

import { useTranslations } from 'next-intl';
import { ScrollRegion } from '#components/ui/scroll-region.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import type { McpServerDetail } from '#lib/mcp/contract.ts';

/** How the last check went, step by step, in the server's own words, and what it left on its error output. */
export function HandshakeLog({ server: { handshake, warnings, stderr } }: { server: McpServerDetail }) {
  const t = useTranslations('mcp.handshake');
  return (
    <div className="flex flex-col gap-3">
      {handshake.length === 0 ? (
        <p className="text-ui text-muted-foreground">{t('none')}</p>
      ) : (
        <ol>
          {handshake.map(({ step, ok, detail, ms }) => (
            <li
              key={step}
              className="grid grid-cols-[0.75rem_7rem_minmax(0,1fr)_auto] items-baseline gap-x-2 py-0.5 text-ui max-sm:grid-cols-[0.75rem_minmax(0,1fr)_auto]"
            >
              <StateGlyph tone={ok ? 'ok' : 'error'} className="mt-1 self-start" />
              <span className="font-medium">{t(`steps.${step}`)}</span>
              <span
                className={`break-words max-sm:order-last max-sm:col-span-2 max-sm:col-start-2 ${ok ? 'text-muted-foreground' : 'text-destructive'}`}
              >
                {step === 'list-tools' && ok ? t('listed', countsOf(detail)) : detail}
              </span>
              <span className="text-end text-meta text-muted-foreground tabular">{t('ms', { ms })}</span>
            </li>
          ))}
        </ol>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="flex items-baseline gap-2 text-ui text-warn">
          <StateGlyph tone="warn" />
          {isKnown(warning) ? t(`warnings.${warning}`) : warning}
        </p>
      ))}
      {stderr === '' ? null : (
        <div>
          <h3 className="mb-1 text-ui font-medium">{t('stderr')}</h3>
          <ScrollRegion label={t('stderr')} className="max-h-60 rounded-control border border-border bg-sunken p-2">
            <pre className="font-mono text-meta whitespace-pre-wrap">{stderr}</pre>
          </ScrollRegion>
        </div>
      )}
    </div>
  );
}

const WARNINGS = ['repeated-cursor', 'page-limit', 'duplicate-names', 'malformed-tools', 'no-tools-capability'] as const;

function isKnown(warning: string): warning is (typeof WARNINGS)[number] {
  return (WARNINGS as readonly string[]).includes(warning);
}

/** "12 · 3": tools and pages. */
function countsOf(detail: string): { tools: number; pages: number } {
  const [tools = 0, pages = 0] = detail.split('·').map(Number);
  return { tools, pages };
}
