import { joinClasses } from '#components/ui/join-classes.ts';

/** The product's mark: four steps of a run, each begun where the one before it ended. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={joinClasses('size-5 shrink-0', className)}>
      <path d="M1 3h7v2H1z" fill="var(--ok)" />
      <path d="M8 7.5h5v2H8z" fill="var(--ok)" />
      <path d="M13 12h3v2h-3z" fill="var(--waiting)" />
      <path d="M16 16.5h3v2h-3z" fill="var(--primary)" />
      <path d="M.5.5v19" stroke="currentColor" strokeOpacity=".35" />
    </svg>
  );
}
