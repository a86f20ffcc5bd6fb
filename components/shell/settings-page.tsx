import type { ReactNode } from 'react';
import { joinClasses } from '#components/ui/join-classes.ts';

interface SettingsPageProps {
  title: ReactNode;
  /** What is set here and whom it concerns, in a sentence or two. */
  intro?: ReactNode;
  /** What can be done with the whole of it. */
  action?: ReactNode;
  /** A table or a matrix may be wider than what is read line by line. */
  isWide?: boolean;
  children: ReactNode;
}

/** One section of the settings, of a workspace or of an account: its name, what it is for, and its parts as `Section`s. */
export function SettingsPage({ title, intro, action, isWide = false, children }: SettingsPageProps) {
  return (
    <div className={joinClasses('flex w-full flex-col gap-8 px-4 pt-5 pb-16 md:px-8', isWide ? 'max-w-[80rem]' : 'max-w-[48rem]')}>
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
          <h1 className="text-page font-semibold">{title}</h1>
          {intro ? <p className="max-w-[68ch] text-ui text-muted-foreground">{intro}</p> : null}
        </div>
        {action ? <div className="flex flex-wrap items-center gap-2">{action}</div> : null}
      </header>
      {children}
    </div>
  );
}
