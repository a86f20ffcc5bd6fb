import { joinClasses } from '#components/ui/join-classes.ts';

/** The product's mark: four steps of a run, each begun where the one before it ended. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={joinClasses('size-5 shrink-0', className)}>
      <path d="M1 1v18" stroke="currentColor" strokeOpacity=".4" />
      <path d="M3 2h8v3H3z" fill="var(--ok)" />
      <path d="M7 6.5h6v3H7z" fill="var(--ok)" />
      <path d="M10 11h6v3h-6z" fill="var(--waiting)" />
      <path d="M13 15.5h6v3h-6z" fill="var(--primary)" />
    </svg>
  );
}
