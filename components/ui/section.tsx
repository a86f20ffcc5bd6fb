import { type ReactNode, useId } from 'react';
import { joinClasses } from './join-classes.ts';

interface SectionProps {
  title: ReactNode;
  intro?: ReactNode;
  /** What can be done with this part. */
  action?: ReactNode;
  /** For what cannot be undone: it stands apart and says so by its edge. */
  isDangerous?: boolean;
  className?: string;
  children: ReactNode;
}

/** A part of a page with a name. Screen readers list it by that name. */
export function Section({ title, intro, action, isDangerous = false, className, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={joinClasses('border-t pt-5', isDangerous ? 'border-destructive' : 'border-border', className)}>
      <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-col gap-0.5">
          <h2 id={id} className="text-section font-semibold">
            {title}
          </h2>
          {intro ? <p className="max-w-[68ch] text-ui text-muted-foreground">{intro}</p> : null}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
