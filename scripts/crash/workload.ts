import type { Chance } from './seeded-chance.ts';

/** What a step does to the world, and what a crash may therefore do to it. */
export type EffectKind = 'keyed' | 'idempotent' | 'read' | 'once' | 'destructive';

export interface Effect {
  readonly kind: EffectKind;
  readonly label: string;
}

export type Step = Effect | { readonly kind: 'stream'; readonly chunks: number; readonly delayMs: number };

/** One answer of the model: a few words, and calls beside each other, or a specialist that makes them one after the other. */
export interface Turn {
  readonly says: string;
  readonly calls: readonly Effect[];
  readonly isDelegated: boolean;
  /** Each call is a task of its own: a run that the one which was asked for waits for. */
  readonly isHandedOn: boolean;
}

/** One request to be made, and what its run must come to. */
export interface Order {
  /** Its Idempotency-Key, and the head of its labels. */
  readonly key: string;
  /** Which of the point's sessions it goes to. */
  readonly session: number;
  readonly steps: readonly Step[];
  /** What the model is to do, an answer of its own each; null where no model is asked. Its calls are `steps`, in order. */
  readonly turns: readonly Turn[] | null;
  /** What the model reads besides, so that a conversation soon has no room. */
  readonly padding?: string;
  /** Sent twice at once, to two processes where there are two. */
  readonly isSentTwice: boolean;
  /** A stop is asked for this long after it was accepted; null for none. */
  readonly stopAfterMs: number | null;
}

export interface WorkloadShape {
  readonly sessions: number;
  /** Share of steps that must not run twice, in percent. */
  readonly oncePercent: number;
  /** Share of runs that are asked to stop, in percent. */
  readonly stopPercent: number;
  /** Share of turns that are handed to a specialist, in percent; absent: no model is there, and requests are planned. */
  readonly delegatedPercent?: number;
  /** Share of runs of a model whose last turn is handed on as tasks, in percent; absent: none. */
  readonly handedOnPercent?: number;
  /** Share of planned steps that a person has to allow, in percent; absent: none. */
  readonly destructivePercent?: number;
  /** Of a session, at least and at most; absent: one to three. */
  readonly requests?: readonly [number, number];
  /** With so much padding that a third request has no room beside the first two. */
  readonly isLong?: boolean;
}

const STREAM_PERCENT = 25;
/** Some 1,000 tokens: three of them have no room beside what is always sent, where a model holds 8,000 with its answer. */
const PADDING = 'and so on '.repeat(330);

/** Requests of one point: one to three a session where the shape says nothing else, one to four steps a request. Labels begin with `prefix`. */
export function drawOrders(prefix: string, shape: WorkloadShape, chance: Chance): Order[] {
  const orders: Order[] = [];
  for (let session = 0; session < shape.sessions; session += 1) {
    const requests = chance.between(...(shape.requests ?? ([1, 3] as const)));
    for (let request = 0; request < requests; request += 1) {
      const key = `${prefix}-s${session}-r${request}`;
      const work =
        shape.delegatedPercent === undefined ? drawSteps(key, shape, chance) : drawTurns(key, shape, shape.delegatedPercent, chance);
      const stopAfterMs = chance.happens(shape.stopPercent) ? chance.between(0, 400) : null;
      orders.push({ key, session, ...work, ...(shape.isLong && { padding: PADDING }), isSentTwice: chance.happens(15), stopAfterMs });
    }
  }
  return orders;
}

function drawSteps(key: string, shape: WorkloadShape, chance: Chance): Pick<Order, 'steps' | 'turns'> {
  const steps: Step[] = [];
  for (const letter of 'abcd'.slice(0, chance.between(1, 4))) steps.push(drawStep(`${key}-${letter}`, steps, shape, chance));
  return { steps, turns: null };
}

function drawTurns(key: string, shape: WorkloadShape, delegatedPercent: number, chance: Chance): Pick<Order, 'steps' | 'turns'> {
  const turns: Turn[] = [];
  const letters = 'abc'.slice(0, chance.between(1, 3));
  for (const letter of letters) {
    // The last one: what tasks came to is content of others, after which a person is asked before anything is changed.
    const isHandedOn = letter === letters.at(-1) && shape.handedOnPercent !== undefined && chance.happens(shape.handedOnPercent);
    const calls = Array.from({ length: chance.between(1, 2) }, (_, index): Effect => {
      const kind =
        !isHandedOn && chance.happens(shape.oncePercent) ? 'once' : chance.pick(['keyed', 'keyed', 'idempotent', 'read'] as const);
      return { kind, label: `${key}-${letter}${index}` };
    });
    const says = chance.happens(50) ? `Now ${key}-${letter}.` : '';
    turns.push({ says, calls, isDelegated: !isHandedOn && chance.happens(delegatedPercent), isHandedOn });
  }
  return { steps: turns.flatMap((turn) => turn.calls), turns };
}

/**
 * Neighbours differ in kind: the planner takes two like requests in a row for one with a longer text. No two steps of a
 * request are alike: of what only reads it takes the same twice for once.
 */
function drawStep(label: string, earlier: readonly Step[], shape: WorkloadShape, chance: Chance): Step {
  const before = earlier.at(-1);
  if (before?.kind !== 'once' && chance.happens(shape.oncePercent)) return { kind: 'once', label };
  if (shape.destructivePercent !== undefined && before?.kind !== 'destructive' && chance.happens(shape.destructivePercent)) {
    return { kind: 'destructive', label };
  }
  if (before?.kind !== 'stream' && chance.happens(STREAM_PERCENT)) {
    return { kind: 'stream', chunks: 4 * chance.between(1, 5) + earlier.length, delayMs: chance.between(5, 20) };
  }
  const kinds: readonly EffectKind[] = ['keyed', 'keyed', 'idempotent', 'read'];
  return { kind: chance.pick(kinds.filter((kind) => kind !== before?.kind)), label };
}

/** The request as a person would write it, a step a line; or what the scripted model reads. */
export function messageOf({ key, steps, turns, padding }: Pick<Order, 'key' | 'steps' | 'turns' | 'padding'>): string {
  if (turns) return JSON.stringify({ key, turns, padding });
  return steps
    .map((step) => {
      if (step.kind === 'stream') return `stream chunks: ${step.chunks} chunks, ${step.delayMs} ms`;
      return `${step.kind === 'read' ? 'readonly' : step.kind} effect "${step.label}"`;
    })
    .join('\n');
}

/** The order without what its run has others do. */
export function ownOrder(order: Order): Order {
  return order.turns ? { ...order, steps: order.turns.filter(({ isHandedOn }) => !isHandedOn).flatMap(({ calls }) => calls) } : order;
}

/** What its run has others do: an order each, which the run that was asked for waits for. */
export function taskOrders({ session, turns }: Order): Order[] {
  const calls = (turns ?? []).filter(({ isHandedOn }) => isHandedOn).flatMap((turn) => turn.calls);
  return calls.map((call) => ({ ...taskOf(call), session, isSentTwice: false, stopAfterMs: null }));
}

/** The order of one task. */
export function taskOf(call: Effect): Pick<Order, 'key' | 'steps' | 'turns'> {
  return { key: call.label, steps: [call], turns: [{ says: '', calls: [call], isDelegated: false, isHandedOn: false }] };
}

/** What a step answers when it succeeds. */
export function answerOf(step: Step): string {
  if (step.kind !== 'stream') return `done: ${step.label}`;
  return Array.from({ length: step.chunks }, (_, index) => `chunk-${index + 1} `).join('');
}

/** The whole answer of a run in which nothing was skipped. */
export function wholeAnswerOf({ steps, turns }: Order): string {
  if (!turns) return steps.map(answerOf).join('\n\n');
  const calls = turns.flatMap((turn) => turn.calls);
  return [...turns.map((turn) => turn.says), calls.map(answerOf).join('\n')].filter(Boolean).join('\n\n');
}

/** The test capability that a step must be planned as. */
export function capabilityOf(step: Step): string {
  return step.kind === 'stream' ? 'test.stream' : `test.effect-${step.kind}`;
}
