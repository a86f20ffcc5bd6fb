/** One line of two texts laid beside each other. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond this many pairs of lines the middle is shown as replaced whole. */
const CELL_LIMIT = 250_000;

/** The lines that lead from one text to the other, by their longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, next] = [before.split('\n'), after.split('\n')];
  if (old.length * next.length > CELL_LIMIT) return [...mark(old, 'removed'), ...mark(next, 'added')];
  const width = next.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = next.length - 1; j >= 0; j -= 1) {
      const [right, below] = [common[i * width + j + 1] ?? 0, common[(i + 1) * width + j] ?? 0];
      common[i * width + j] = old[i] === next[j] ? (common[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(right, below);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < next.length) {
    if (old[i] === next[j]) {
      lines.push({ kind: 'same', text: old[i] ?? '' });
      i += 1;
      j += 1;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) {
      lines.push({ kind: 'removed', text: old[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: next[j] ?? '' });
      j += 1;
    }
  }
  return [...lines, ...mark(old.slice(i), 'removed'), ...mark(next.slice(j), 'added')];
}

function mark(lines: readonly string[], kind: DiffLine['kind']): DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}
