import { z } from 'zod';
import { type ModelStep, type SeenRequest, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { type Effect, messageOf, taskOf } from './workload.ts';

/** One question to the model: the call's place in its run, as the product records it, and the order it was for. */
export interface ModelAsk {
  /** Key of the order. */
  readonly key: string;
  readonly path: string;
}

/** The model of one point: it does what the order's turns say, and counts what it is asked. */
export interface CrashModel {
  readonly url: string;
  readonly asks: readonly ModelAsk[];
  /** What it was shown that it should not have been shown. */
  readonly surprises: readonly string[];
  close(): Promise<void>;
}

const SPECIALIST = 'calculations';
/** What a call says that a person chose to skip. */
const SKIPPED = 'The outcome is unknown; it was not run again.';
const CHUNK = { chunkSize: 5, delayMs: 6 };
const SUMMARY = 'Some effects were asked for, and happened.';

const effect = z.object({ kind: z.enum(['keyed', 'idempotent', 'read', 'once', 'destructive']), label: z.string() });
const turn = z.object({ says: z.string(), calls: z.array(effect), isDelegated: z.boolean(), isHandedOn: z.boolean() });
const script = z.object({ key: z.string(), turns: z.array(turn) });
const task = z.object({ key: z.string(), turn: z.number(), calls: z.array(effect) });
const body = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })),
  // Whoever writes a summary has none.
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
});

interface Conversation {
  /** The last thing a person, or the agent that hands a task on, has said. */
  readonly request: string;
  /** How many answers the model has given in it. */
  readonly answers: number;
  readonly results: readonly string[];
}

/**
 * A model over real HTTP whose answers follow from the request alone, so that a process which carries a run on gets the same
 * ones. It checks that it sees the results of all its calls, each once and in order.
 */
export async function startCrashModel(): Promise<CrashModel> {
  const asks: ModelAsk[] = [];
  const surprises: string[] = [];

  function answer(request: SeenRequest): ModelStep | null {
    const { messages, tools } = body.parse(request.body);
    if (!tools) return streamed({ text: SUMMARY, ...CHUNK });
    // Before it stands what earlier requests of the session came to.
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const since = messages.slice(asked + 1);
    const conversation: Conversation = {
      request: messages[asked]?.content ?? '',
      answers: since.filter(({ role }) => role === 'assistant').length,
      results: since.filter(({ role }) => role === 'tool').map(({ content }) => content ?? ''),
    };
    const isSpecialist = messages[0]?.content?.startsWith(`ROLE:${SPECIALIST}`) ?? false;
    const next = isSpecialist ? answerOfSpecialist(conversation) : answerOfSupervisor(conversation);
    asks.push({ key: next.key, path: next.path });
    const names = new Set(tools.map((tool) => tool.function.name));
    surprises.push(
      ...next.problems.map((problem) => `${next.key} ${next.path}: ${problem}`),
      ...next.calls.filter(({ name }) => !names.has(name)).map(({ name }) => `${next.key} ${next.path}: there is no tool ${name}`),
    );
    const calls = next.calls.map((call, index) => ({
      id: `${next.path}/${index}`,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    }));
    return streamed({ text: next.text, ...(calls.length > 0 && { calls }), ...CHUNK });
  }

  const server = await startModelServer((request) => {
    try {
      return answer(request);
    } catch (error) {
      surprises.push(`a request that cannot be read: ${String(error)}`);
      return null;
    }
  });
  return { url: server.url, asks, surprises, close: () => server.close() };
}

interface Next extends ModelAsk {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: object }[];
  readonly problems: readonly string[];
}

function answerOfSupervisor({ request, answers, results }: Conversation): Next {
  const { key, turns } = script.parse(JSON.parse(request));
  const path = `platform_supervisor/m${answers}`;
  const expected = turns
    .slice(0, answers)
    .flatMap(({ calls, isDelegated, isHandedOn }) => (isDelegated || isHandedOn ? [calls] : calls.map((call) => [call])));
  const seen = results.map(withoutTasks);
  const problems = problemsOf(seen, expected);
  const next = turns[answers];
  if (!next) return { key, path, text: seen.join('\n'), calls: [], problems };
  const handed = { agent: SPECIALIST, task: JSON.stringify({ key, turn: answers, calls: next.calls }) };
  const tasks = { tasks: next.calls.map((call) => messageOf(taskOf(call))) };
  const calls = next.isDelegated
    ? [{ name: 'delegate', arguments: handed }]
    : next.isHandedOn
      ? [{ name: 'agents_delegate', arguments: tasks }]
      : next.calls.map(callOf);
  return { key, path, text: next.says, calls, problems };
}

function answerOfSpecialist({ request, answers, results }: Conversation): Next {
  const { key, turn: ofTurn, calls } = task.parse(JSON.parse(request));
  const path = `platform_supervisor/m${ofTurn}/t0/${SPECIALIST}/m${answers}`;
  const problems = problemsOf(
    results,
    calls.slice(0, answers).map((call) => [call]),
  );
  const next = calls[answers];
  return next ? { key, path, text: '', calls: [callOf(next)], problems } : { key, path, text: results.join('\n'), calls: [], problems };
}

/** What tasks came to is given with the tasks. */
function withoutTasks(result: string): string {
  if (!result.startsWith('**{')) return result;
  return result
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('**{'))
    .join('\n');
}

function callOf({ kind, label }: Effect) {
  return { name: `test_effect-${kind}`, arguments: { label } };
}

function problemsOf(results: readonly string[], expected: readonly (readonly Effect[])[]): string[] {
  if (results.length !== expected.length) return [`it sees ${results.length} results of ${expected.length}`];
  return expected.flatMap((calls, index) => {
    const lines = (results[index] ?? '').split('\n');
    const isRight =
      lines.length === calls.length && calls.every(({ label }, line) => [`done: ${label}`, SKIPPED].includes(lines[line] ?? ''));
    return isRight ? [] : [`result ${index} is ${JSON.stringify(results[index])}`];
  });
}
