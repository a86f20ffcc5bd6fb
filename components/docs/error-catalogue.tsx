import { useTranslations } from 'next-intl';
import type { ErrorCode } from '#lib/kernel/index.ts';

/** Every code an answer can carry: its status, what it means and what to do. Each row has an address of its own. */
export function ErrorCatalogue({ entries }: { entries: readonly { code: ErrorCode; status: number }[] }) {
  const t = useTranslations('docs.errors');
  return (
    <table className="w-full border-collapse text-ui max-sm:block">
      <thead className="max-sm:sr-only">
        <tr className="border-b border-border text-start text-meta text-muted-foreground">
          {(['status', 'code', 'meaning', 'next'] as const).map((column) => (
            <th key={column} scope="col" className="py-1.5 pe-4 text-start font-medium">
              {t(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {entries.map(({ code, status }) => (
          <tr key={code} id={code} className="scroll-mt-3 border-b border-border align-top target:bg-primary/8 max-sm:block max-sm:py-2">
            <td className="py-2 pe-4 text-muted-foreground tabular max-sm:inline max-sm:pe-2">{status}</td>
            <th scope="row" className="py-2 pe-4 text-start font-normal max-sm:inline">
              <a href={`#${code}`} className="font-mono text-meta hover:underline">
                {code}
              </a>
            </th>
            <td className="py-2 pe-4 max-sm:block max-sm:py-0.5">{t(`codes.${code}.meaning`)}</td>
            <td className="py-2 text-muted-foreground max-sm:block max-sm:py-0.5">{t(`codes.${code}.next`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
