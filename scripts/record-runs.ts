// `node scripts/record-runs.ts v2`: records runs of this version under e2e/fixtures/replay/v2, for e2e/replay.test.ts. The
// records of earlier versions stay as they are: they are what a deployment finds in its database after an upgrade.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createRunEventBus } from '#db/stores/run-event-bus.ts';
import { createRunJournal } from '#db/stores/run-journal.ts';
import { systemClock, toUuid } from '#lib/kernel/index.ts';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { type ModelStep, startModelServer, streamed } from '#lib/testing/model-server.ts';
import { toDecisions, writeRecordedRun } from '#lib/testing/recorded-run.ts';
import { createRunLab } from '#lib/testing/run-lab.ts';
import startDatabase from './test/integration-database.ts';

const version = process.argv[2] ?? '';
if (!/^v\d+$/.test(version)) throw new Error('which version? node scripts/record-runs.ts v2');
const folder = path.resolve(import.meta.dirname, '..', 'e2e/fixtures/replay', version);
if (existsSync(folder)) throw new Error(`${folder} is there already; records of a version are not made again`);

const stopDatabase = await startDatabase();
const lab = await createRunLab();
const provider = await startModelServer();
const journal = createRunJournal({ sql: lab.database.sql, clock: systemClock, bus: createRunEventBus(lab.database.sql) });
const model = createLanguageModel({
  spec: { provider: 'compatible', model: 'scripted' },
  baseUrl: provider.url,
  apiKey: null,
  fetch: globalThis.fetch,
});

const call = (id: string, name: string, args: object | string) => ({
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});

/** What is asked, and what the model answers; without answers there is no model. */
const RUNS: readonly { name: string; title: string; text: string; answers?: readonly ModelStep[]; failNext?: number }[] = [
  { name: 'two-steps', title: 'two steps without a model', text: 'test.effect-keyed one | test.effect-read two' },
  { name: 'failed-steps', title: 'a run without a model whose steps fail', text: 'test.effect-once one', failNext: 1 },
  {
    name: 'model-with-tools',
    title: 'a model that thinks, calls tools beside each other, misnames one, breaks arguments, and answers',
    text: 'do one and two',
    answers: [
      streamed({
        reasoning: 'I should look.',
        text: 'Let me see. ',
        calls: [call('c1', 'test_effect-keyed', { label: 'one' }), call('c2', 'test_effect-read', { label: 'two' })],
      }),
      streamed({ calls: [call('c3', 'read_flie', { label: 'x' }), call('c4', 'test_effect-read', '{"label": "three",')] }),
      streamed({ text: 'All are done. 都做完了。', chunkSize: 4 }),
    ],
  },
  {
    name: 'delegated',
    title: 'a task handed to a specialist, which uses a tool',
    text: 'let the echo say hello',
    answers: [
      streamed({ calls: [call('c1', 'test_effect-keyed', { label: 'before' })] }),
      streamed({ calls: [call('c2', 'delegate', { agent: 'nobody', task: 'x' })] }),
      streamed({ calls: [call('c3', 'delegate', { agent: 'echo', task: 'Say hello back' })] }),
      streamed({ calls: [call('e1', 'shout', { text: 'hello' })] }),
      streamed({ text: 'hello' }),
      streamed({ text: 'The echo said: hello' }),
    ],
  },
  {
    name: 'refused',
    title: 'a model that acts, then refuses to answer',
    text: 'something it will not say',
    answers: [
      streamed({ calls: [call('c1', 'test_effect-read', { label: 'looked' })] }),
      streamed({ text: '', finishReason: 'content_filter' }),
    ],
  },
];

async function record({ title, text, answers, failNext }: (typeof RUNS)[number]): Promise<string> {
  lab.useModel(answers ? { status: 'available', model, price: null, fallsBack: false } : { status: 'unavailable', code: 'no-model' });
  provider.script(...(answers ?? []));
  if (failNext) lab.effects.failNext(failNext);
  const { actor, sessionId } = await lab.aSession();
  const { runId } = await lab.runs.submitMessage(actor, { sessionId, text });
  await lab.readAll(actor, runId);
  provider.verify();
  const { state, answer, error } = await lab.runs.getRun(actor, runId);
  // As if the process had ended just before the run did.
  const [row] = await lab.owner`
    update run set state = 'RUNNING', ended_at = null, answer = null, error_code = null, error_message = null where id = ${toUuid(runId)} returning segment`;
  const records = await journal.begin({ tenantId: actor.scope.tenantId, runId, number: Number(row?.segment) });
  await lab.owner`update run set state = 'CANCELLED', ended_at = now() where id = ${toUuid(runId)}`;
  if (!records) throw new Error(`${title}: there are no records`);
  return writeRecordedRun({
    title,
    capabilities: await lab.runs.listCapabilities(actor),
    ontology: { summary: 'nothing', revision: 'r1' },
    records,
    outcome: { state, answer, error, calls: toDecisions(records.invocations.values()) },
  });
}

try {
  const texts: [string, string][] = [];
  for (const run of RUNS) texts.push([run.name, await record(run)]);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of texts) writeFileSync(path.join(folder, `${name}.json`), text);
  console.log(`${texts.length} runs are recorded in ${path.relative(process.cwd(), folder)}`);
} finally {
  await provider.close();
  await lab.close();
  await stopDatabase();
}
process.exit(0);
