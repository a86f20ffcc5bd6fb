import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { sessionTransitions } from '#lib/conversations/domain/session.ts';
import { type Id, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { captureLog } from '#lib/testing/captured-log.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';

let lab: RunLab;
let runs: RunLab['runs'];
beforeAll(async () => {
  lab = await createRunLab({ timeLimitMs: 1_500 });
  runs = lab.runs;
});
afterAll(() => lab?.close());

interface Chat {
  readonly actor: Actor;
  readonly sessionId: Id<'session'>;
}

interface Move {
  readonly from: string;
  readonly to: string;
}

async function movesOf(sessionId: Id<'session'>): Promise<Move[]> {
  const rows = await lab.owner`
    select payload from session_event where session_id = ${toUuid(sessionId)} and type = 'session-state' order by seq`;
  return rows.map(({ payload }) => ({ from: payload.from, to: payload.to }));
}

async function stateOf(sessionId: Id<'session'>): Promise<string> {
  const [row] = await lab.owner`select state from agent_session where id = ${toUuid(sessionId)}`;
  return String(row?.state);
}

/** Each move begins where the one before it ended, the table has it, and the session is where the last one led. */
async function expectWholeRecord(sessionId: Id<'session'>): Promise<void> {
  const moves = await movesOf(sessionId);
  let at = 'IDLE';
  for (const { from, to } of moves) {
    expect({ from, moves }).toEqual({ from: at, moves });
    expect(from).not.toBe(to);
    expect(sessionTransitions.can(from as 'IDLE', to as 'IDLE'), `${from} > ${to}`).toBe(true);
    at = to;
  }
  expect(await stateOf(sessionId)).toBe(at);
  const rows = await lab.owner`select seq from session_event where session_id = ${toUuid(sessionId)} order by seq`;
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, index) => index + 1));
}

const say = async ({ actor, sessionId }: Chat, text: string) => (await runs.submitMessage(actor, { sessionId, text })).runId;

async function waitingFor(chat: Chat) {
  const runId = await say(chat, 'test.effect-destructive one | test.effect-read two');
  const run = await eventually(async () => {
    const found = await runs.getRun(chat.actor, runId);
    return found.state === 'WAITING' && found;
  });
  return { runId, approvalId: run.approvals[0]?.id as Id<'approval'> };
}

/** What may become of a request. */
const FATES = {
  answered: async (chat: Chat) => void (await lab.readAll(chat.actor, await say(chat, 'test.effect-read one'))),
  refused: async (chat: Chat) => void (await lab.readAll(chat.actor, await say(chat, 'test.handlerless'))),
  'out of time': async (chat: Chat) => void (await lab.readAll(chat.actor, await say(chat, 'test.stream 100 40'))),
  stopped: async (chat: Chat) => {
    const runId = await say(chat, 'test.stream 100 20');
    await runs.cancelRun(chat.actor, runId);
    await lab.readAll(chat.actor, runId);
  },
  allowed: async (chat: Chat) => {
    const { runId, approvalId } = await waitingFor(chat);
    await runs.decideApproval(chat.actor, approvalId, { decision: 'allow', extent: 'once', sameArguments: [] });
    await lab.readAll(chat.actor, runId);
  },
  'stopped while it waits': async (chat: Chat) => {
    const { runId } = await waitingFor(chat);
    await runs.cancelRun(chat.actor, runId);
    await lab.readAll(chat.actor, runId);
  },
  'passed over': async (chat: Chat) => {
    const { runId } = await waitingFor(chat);
    const next = await say(chat, 'test.effect-read next');
    await Promise.all([lab.readAll(chat.actor, runId), lab.readAll(chat.actor, next)]);
  },
  'stopped in the queue': async (chat: Chat) => {
    const [first, second] = [await say(chat, 'test.stream 10 10'), await say(chat, 'test.effect-read never')];
    await runs.cancelRun(chat.actor, second);
    await Promise.all([lab.readAll(chat.actor, first), lab.readAll(chat.actor, second)]);
  },
  'taken over': async (chat: Chat) => {
    const runId = await say(chat, 'test.stream 15 10');
    await eventually(async () => (await runs.getRun(chat.actor, runId)).state === 'RUNNING');
    await lab.cutOff(runId);
    await lab.readAll(chat.actor, runId);
  },
  'ended before it began to work': async (chat: Chat) => {
    const first = await say(chat, 'test.stream 10 10');
    const second = await say(chat, 'test.effect-read never');
    await lab.owner`update run set preset = 'of-a-plugin-that-is-gone' where id = ${toUuid(second)}`;
    await Promise.all([lab.readAll(chat.actor, first), lab.readAll(chat.actor, second)]);
  },
} satisfies Record<string, (chat: Chat) => Promise<void>>;
type Fate = keyof typeof FATES;
const FATE_NAMES = Object.keys(FATES) as Fate[];

describe('a session', () => {
  for (const fate of FATE_NAMES) {
    verifies('H-12', `is where its record says after a request that was ${fate}`, async () => {
      const chat = await lab.aSession();
      await FATES[fate](chat);
      await expectWholeRecord(chat.sessionId);
      expect(await stateOf(chat.sessionId)).toBe('IDLE');
    });
  }

  verifies(
    'H-12',
    'is where its record says after any history, and a line of the log tells each move',
    async () => {
      const captured = captureLog('info');
      const histories = fc.sample(fc.array(fc.constantFrom(...FATE_NAMES), { minLength: 3, maxLength: 6 }), { numRuns: 6, seed: 12 });
      const chats = await Promise.all(
        histories.map(async (history) => {
          const chat = await lab.aSession();
          for (const fate of history) await FATES[fate](chat);
          return chat;
        }),
      );
      for (const { sessionId } of chats) {
        await expectWholeRecord(sessionId);
        const told = captured.lines.filter((line) => line.event === 'session_state_changed' && line.sessionId === sessionId);
        expect(told.map(({ fromState, toState }) => ({ from: fromState, to: toState }))).toEqual(await movesOf(sessionId));
      }
      captured.stop();
    },
    60_000,
  );

  verifies('H-12', 'is moved from where it is, whatever its writer thought', async () => {
    const chat = await lab.aSession();
    const runId = await say(chat, 'test.stream 40 20');
    await eventually(async () => (await stateOf(chat.sessionId)) === 'EXECUTING');
    await lab.owner`update agent_session set state = 'PLANNING' where id = ${toUuid(chat.sessionId)}`;
    await lab.readAll(chat.actor, runId);
    expect((await movesOf(chat.sessionId)).at(-1)).toEqual({ from: 'PLANNING', to: 'IDLE' });
  });

  verifies('H-12', 'that is closed stays closed, also for a run that is at work', async () => {
    const chat = await lab.aSession();
    const runId = await say(chat, 'test.stream 15 10');
    await eventually(async () => (await stateOf(chat.sessionId)) === 'EXECUTING');
    await lab.owner`update agent_session set state = 'CANCELLED' where id = ${toUuid(chat.sessionId)}`;
    const before = await movesOf(chat.sessionId);
    await lab.readAll(chat.actor, runId);
    expect(await stateOf(chat.sessionId)).toBe('CANCELLED');
    expect(await movesOf(chat.sessionId)).toEqual(before);
    await expect(say(chat, 'test.effect-read one')).rejects.toMatchObject({ code: 'session_closed' });
  });

  it('that its person removes is closed, on its own record and in the log', async () => {
    const chat = await lab.aSession();
    await FATES.answered(chat);
    const captured = captureLog('info');
    await lab.removeSession(chat.actor, chat.sessionId);
    captured.stop();
    expect(await stateOf(chat.sessionId)).toBe('COMPLETED');
    expect((await movesOf(chat.sessionId)).at(-1)).toEqual({ from: 'IDLE', to: 'COMPLETED' });
    await expectWholeRecord(chat.sessionId);
    expect(captured.lines).toMatchObject([{ event: 'session_state_changed', fromState: 'IDLE', toState: 'COMPLETED' }]);
  });
});
