'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { Popover } from 'radix-ui';
import { Button } from '#components/ui/button.tsx';
import type { UsageView } from '#lib/conversations/contract.ts';
import { TOKEN_CLASSES } from './usage-sum.ts';
import { useCostText } from './use-cost-text.ts';

/** Tokens and cost of an answer. It opens to the classes of tokens, which do not overlap and sum to the total. */
export function UsageNote({ usage }: { usage: UsageView }) {
  const t = useTranslations('chat.usage');
  const format = useFormatter();
  const total = t(usage.isEstimated ? 'estimated' : 'tokens', { count: usage.totalTokens });
  const cost = useCostText()(usage.cost);
  return (
    <>
      {usage.isConcise ? <span className="text-meta text-warn">{t('concise')}</span> : null}
      <Popover.Root>
        <Popover.Trigger asChild>
          <Button look="quiet" size="small" className="font-normal text-muted-foreground tabular">
            {t('line', { tokens: total, cost })}
          </Button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            sideOffset={4}
            collisionPadding={8}
            aria-label={t('title')}
            className="z-50 w-72 max-w-[calc(100vw-1rem)] animate-appear rounded-card border border-border bg-card p-3 text-ui shadow-floating outline-none"
          >
            <table className="w-full tabular">
              <caption className="pb-2 text-start text-meta text-muted-foreground">
                {usage.models.length > 0 ? usage.models.join(', ') : t('title')}
              </caption>
              <tbody>
                {TOKEN_CLASSES.map((tokens) => (
                  <tr key={tokens}>
                    <th scope="row" className="py-0.5 pe-3 text-start font-normal text-muted-foreground">
                      {t(`classes.${tokens}`)}
                    </th>
                    <td className="text-end">{format.number(usage[tokens])}</td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr className="border-t border-border font-medium">
                  <th scope="row" className="pt-1 pe-3 text-start font-medium">
                    {t('total')}
                  </th>
                  <td className="pt-1 text-end">{format.number(usage.totalTokens)}</td>
                </tr>
                <tr>
                  <th scope="row" className="py-0.5 pe-3 text-start font-normal text-muted-foreground">
                    {t('cost')}
                  </th>
                  <td className="text-end">{cost}</td>
                </tr>
              </tfoot>
            </table>
            {usage.isEstimated ? <p className="mt-2 text-meta text-muted-foreground">{t('estimatedHint')}</p> : null}
            {usage.cost === null ? <p className="mt-2 text-meta text-muted-foreground">{t('noPriceHint')}</p> : null}
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </>
  );
}
