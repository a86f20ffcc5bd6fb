'use client';

/**
 * Says each new text once to screen readers, without interrupting them. The region must be on the page before its text
 * changes, so mount it empty.
 */
export function LiveRegion({ text }: { text: string }) {
  return (
    <div role="status" aria-live="polite" aria-atomic="true" className="sr-only">
      {text}
    </div>
  );
}
