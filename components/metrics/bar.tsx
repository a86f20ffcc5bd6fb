/** A value as a line beside its words: as long as its share of the longest. Bars start at zero. */
export function Bar({ value, most, tone = 'bg-primary' }: { value: number; most: number; tone?: string }) {
  const share = most > 0 ? Math.max(0, Math.min(1, value / most)) : 0;
  return (
    <span aria-hidden className="mt-1 block h-1 w-full min-w-16 bg-border">
      <span className={`block h-full ${tone}`} style={{ width: `${(share * 100).toFixed(2)}%` }} />
    </span>
  );
}
