import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { TracedRun } from '#lib/record/contract.ts';
import { RunStateChip } from './run-state-chip.tsx';

/** The run that handed this one its task, and the tasks that it has handed on, each a run of its own. Nothing for most runs. */
export function RunFamily({ run, tenantSlug }: { run: Pick<TracedRun, 'parentRunId' | 'tasks'>; tenantSlug: string }) {
  const t = useTranslations('runs.family');
  if (run.parentRunId === null && run.tasks.length === 0) return null;
  return (
    <section aria-label={t('label')} className="flex max-h-40 flex-col gap-2 overflow-y-auto border-t border-border py-3 text-ui">
      {run.parentRunId === null ? null : (
        <p>
          <span className="text-muted-foreground">{`${t('parent')} `}</span>
          <Link href={`/${tenantSlug}/runs/${run.parentRunId}`} className="underline underline-offset-2">
            <code className="font-mono text-meta">{run.parentRunId}</code>
          </Link>
        </p>
      )}
      {run.tasks.length === 0 ? null : (
        <ul aria-label={t('tasks')} className="flex flex-col gap-1">
          {run.tasks.map((task) => (
            <li key={task.runId} className="flex min-w-0 items-baseline gap-3">
              <RunStateChip state={task.state} />
              <Link href={`/${tenantSlug}/runs/${task.runId}`} className="min-w-0 flex-1 truncate underline underline-offset-2">
                {task.textHead}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
