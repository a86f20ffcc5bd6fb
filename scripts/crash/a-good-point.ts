import type { Asked } from './fault.ts';
import type { Followed } from './follow-run.ts';
import type { Outcome, OutcomeEvent } from './outcome.ts';
import { answerOf, type Step } from './workload.ts';

type Mutable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] extends readonly (infer Item)[] ? Mutable<Item>[] : Shape[Key] };

export interface Point {
  asked: Mutable<Asked>[];
  outcome: Mutable<Outcome>;
  followed: Mutable<Followed>[];
}

const SESSION = 'ses_1';
const KEYED: Step = { kind: 'keyed', label: 'k-a' };
export const STREAM: Step = { kind: 'stream', chunks: 3, delayMs: 5 };
export const ONCE: Step = { kind: 'once', label: 'k-c' };

/** The first step was cut off once. */
const attemptsOf = (step: number) => (step === 0 ? 2 : 1);

function movesOf(invocationId: string, attempts: number) {
  const states = ['REQUESTED', 'ARGUMENTS_VALIDATED', ...Array.from({ length: attempts }, () => 'EXECUTING'), 'SUCCEEDED'];
  return states.map((to, index) => ({
    invocationId,
    seq: index + 1,
    from: states[index - 1] ?? null,
    to,
    attempt: Math.max(0, Math.min(attempts, index - 1)),
  }));
}

/** What a run of these steps leaves behind when nothing went wrong, after a takeover in its first step. */
export function aGoodPoint(steps: readonly Step[] = [KEYED, STREAM, ONCE]): Point {
  const runId = 'run_1';
  const answer = steps.map(answerOf).join('\n\n');
  const events: Omit<OutcomeEvent, 'runId' | 'seq' | 'atMs'>[] = [
    { type: 'UserPromptSubmitted', payload: {} },
    { type: 'run-state', payload: { from: 'QUEUED', to: 'RUNNING', reason: 'started' } },
    { type: 'text-delta', payload: { step: 0, text: 'half an ans' } },
    { type: 'run-state', payload: { from: 'RUNNING', to: 'RUNNING', reason: 'taken over' } },
    { type: 'text-reset', payload: { step: 0 } },
    ...steps.map((step, index) => ({ type: 'text-delta', payload: { step: index, text: (index === 0 ? '' : '\n\n') + answerOf(step) } })),
    { type: 'run-state', payload: { from: 'RUNNING', to: 'FINISH_OK', reason: 'answered' } },
    { type: 'STREAM_DONE', payload: {} },
  ];
  return {
    asked: [
      {
        order: { key: 'k', session: 0, steps, turns: null, isSentTwice: false, stopAfterMs: null },
        sessionId: SESSION,
        runIds: [runId],
        stopped: null,
        choices: new Map(),
        decisions: new Map(),
      },
    ],
    outcome: {
      runs: [
        {
          id: runId,
          sessionId: SESSION,
          state: 'FINISH_OK',
          idempotencyKey: 'k',
          parentRunId: null,
          input: '',
          answer,
          error: null,
          eventSeq: events.length,
          epoch: 2,
          createdAtMs: 0,
          startedAtMs: 1,
          endedAtMs: 9,
        },
      ],
      events: events.map((event, index) => ({ ...event, runId, seq: index + 1, atMs: index })),
      invocations: steps.map((step, index) => ({
        id: `inv_${index}`,
        runId,
        step: index,
        capabilityId: step.kind === 'stream' ? 'test.stream' : `test.effect-${step.kind}`,
        state: 'SUCCEEDED',
        attempt: attemptsOf(index),
        label: step.kind === 'stream' ? null : step.label,
      })),
      transitions: steps.flatMap((_step, index) => movesOf(`inv_${index}`, attemptsOf(index))),
      messages: [
        { runId, role: 'user', text: 'please' },
        { runId, role: 'assistant', text: answer },
      ],
      memory: ['USER', 'ASSISTANT'].map((role) => ({ runId, sessionId: SESSION, turnSeq: 1, role, content: '' })),
      questions: [],
      approvals: [],
      compactions: [],
      budgets: { leftHeld: 0, used: 0 },
      audit: [
        { runId, type: 'run.submitted', invocationId: null, targetId: runId },
        ...steps.flatMap((_step, index) => [
          ...Array.from({ length: attemptsOf(index) }, () => ({
            runId,
            type: 'capability.invoked',
            invocationId: `inv_${index}`,
            targetId: runId,
          })),
          { runId, type: 'capability.succeeded', invocationId: `inv_${index}`, targetId: runId },
        ]),
        { runId, type: 'run.finished', invocationId: null, targetId: runId },
      ],
      openSegments: [],
      modelCalls: [],
      asks: [],
      effects: steps.flatMap((step, index) =>
        step.kind === 'stream'
          ? []
          : Array.from({ length: attemptsOf(index) }, () => ({
              label: step.label,
              kind: step.kind,
              key: `${runId}:${index}`,
              runId,
              atMs: 5,
            })),
      ),
    },
    followed: [{ runId, seqs: events.map((_event, index) => index + 1), connections: ['http://a', 'http://b'], isEnded: true }],
  };
}
