import { useRouter } from 'next/navigation';
import { useKeys } from '#components/keyboard/use-keys.ts';
import type { TimelineSpan } from './timeline-spans.ts';

interface RunKeys {
  /** Addresses of the views that 1 to 4 go to. */
  readonly views: readonly string[];
  readonly spans: readonly TimelineSpan[];
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
  /** The run after this one and the one before it in the list it was opened from; null where there is none. */
  readonly next: string | null;
  readonly previous: string | null;
}

function isFailure({ tone }: TimelineSpan): boolean {
  return tone === 'error';
}

/** 1 to 4 change the view, F goes to the next failure, J and K to the next run of the list. */
export function useRunKeys({ views, spans, selected, onSelect, next, previous }: RunKeys): void {
  const router = useRouter();
  useKeys({
    preset(event) {
      const view = views[Number(event.key) - 1];
      if (view === undefined) return false;
      router.push(view, { scroll: false });
      return true;
    },
    nextFailure() {
      const at = spans.findIndex(({ id }) => id === selected);
      const failure = spans.find((span, place) => isFailure(span) && place > at) ?? spans.find(isFailure);
      if (failure) onSelect(failure.id);
    },
    next: next === null ? null : () => router.push(next),
    previous: previous === null ? null : () => router.push(previous),
  });
}
