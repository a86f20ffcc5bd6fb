import type { Tone } from '#components/ui/state-glyph.tsx';
import type { ModelActivity } from './model-activity.ts';
import { tokensOf } from './model-activity.ts';
import { modelSpanId, type TimelineSpan } from './timeline-spans.ts';

/** A row of a run's tree. What lies below it is summed into it. */
export interface TreeRow {
  readonly id: string;
  /** null: a group that is no span of its own, an agent or a pipeline; `name` is its own. */
  readonly span: TimelineSpan | null;
  readonly name: string;
  /** From 1. */
  readonly level: number;
  readonly parentId: string | null;
  readonly childCount: number;
  readonly tone: Tone;
  readonly durationMs: number;
  readonly tokens: number;
  /** null where a model call below it has no price, or costs are of several currencies. */
  readonly cost: { readonly micros: number; readonly currency: string } | null;
  readonly failures: number;
}

interface Node {
  id: string;
  span: TimelineSpan | null;
  name: string;
  path: string;
  children: Node[];
  tokens: number;
  costs: { micros: number; currency: string }[];
  hasUnpriced: boolean;
}

/** The rows of a run's tree, parents before their children, each with the sums of what lies below it. */
export function spanTree(spans: readonly TimelineSpan[], activity: ModelActivity, totalMs: number): TreeRow[] {
  const root: Node = { ...emptyNode(''), id: 'run', name: 'run' };
  const byPath = new Map<string, Node>([['', root]]);
  const calls = new Map(activity.calls.map((call) => [modelSpanId(call.seq), call]));
  // Shorter paths first: a parent is there before what hangs from it.
  const placed = spans.toSorted((a, b) => depthOf(a) - depthOf(b) || a.fromMs - b.fromMs);
  for (const span of placed) {
    const node: Node = { ...emptyNode(span.path ?? ''), id: span.id, span, name: span.capabilityId ?? span.kind };
    const call = calls.get(span.id);
    if (call) {
      node.tokens = tokensOf(call);
      if (call.cost) node.costs.push(call.cost);
      else node.hasUnpriced = true;
    }
    parentOf(span.path, byPath, root).children.push(node);
    if (span.path !== undefined && !byPath.has(span.path)) byPath.set(span.path, node);
  }
  const rows: TreeRow[] = [];
  flatten(root, 1, null, rows, totalMs);
  return rows;
}

function emptyNode(path: string): Node {
  return { id: path, span: null, name: path, path, children: [], tokens: 0, costs: [], hasUnpriced: false };
}

function depthOf({ path }: TimelineSpan): number {
  return path === undefined ? 0 : path.split('/').length;
}

/** The nearest span above a path; else the group that its first part names: an agent, a pipeline. */
function parentOf(path: string | undefined, byPath: Map<string, Node>, root: Node): Node {
  if (path === undefined) return root;
  const parts = path.split('/');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const above = byPath.get(parts.slice(0, length).join('/'));
    if (above) return above;
  }
  const group = emptyNode(parts[0] ?? path);
  byPath.set(group.path, group);
  root.children.push(group);
  return group;
}

interface Sum {
  tokens: number;
  costs: Map<string, number>;
  hasUnpriced: boolean;
  failures: number;
  fromMs: number;
  toMs: number;
}

function flatten(node: Node, level: number, parentId: string | null, rows: TreeRow[], totalMs: number): Sum {
  const at = rows.length;
  rows.push({} as TreeRow);
  const own = node.span;
  const sum: Sum = {
    tokens: node.tokens,
    costs: new Map(),
    hasUnpriced: node.hasUnpriced,
    failures: own?.tone === 'error' ? 1 : 0,
    fromMs: own?.fromMs ?? Number.POSITIVE_INFINITY,
    toMs: own ? (own.toMs ?? totalMs) : 0,
  };
  for (const { micros, currency } of node.costs) sum.costs.set(currency, (sum.costs.get(currency) ?? 0) + micros);
  for (const child of node.children) {
    const below = flatten(child, level + 1, node.id, rows, totalMs);
    sum.tokens += below.tokens;
    sum.hasUnpriced ||= below.hasUnpriced;
    sum.failures += below.failures;
    sum.fromMs = Math.min(sum.fromMs, below.fromMs);
    sum.toMs = Math.max(sum.toMs, below.toMs);
    for (const [currency, micros] of below.costs) sum.costs.set(currency, (sum.costs.get(currency) ?? 0) + micros);
  }
  const [cost] = [...sum.costs].map(([currency, micros]) => ({ micros, currency }));
  rows[at] = {
    id: node.id,
    span: own,
    name: node.name,
    level,
    parentId,
    childCount: node.children.length,
    tone: own?.tone ?? (sum.failures > 0 ? 'error' : 'ok'),
    durationMs: node.id === 'run' ? totalMs : Math.max(0, sum.toMs - (Number.isFinite(sum.fromMs) ? sum.fromMs : sum.toMs)),
    tokens: sum.tokens,
    cost: sum.costs.size === 1 && !sum.hasUnpriced && cost ? cost : null,
    failures: sum.failures,
  };
  return sum;
}

/** The rows that can be seen when some are closed. */
export function openRows(rows: readonly TreeRow[], closed: ReadonlySet<string>): TreeRow[] {
  const hidden = new Set<string>();
  return rows.filter(({ id, parentId }) => {
    const isHidden = parentId !== null && (closed.has(parentId) || hidden.has(parentId));
    if (isHidden) hidden.add(id);
    return !isHidden;
  });
}
