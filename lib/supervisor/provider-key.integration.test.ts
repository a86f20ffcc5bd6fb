import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLanguageModel } from '#lib/models/adapters/create-language-model.ts';
import { log, setLogLevel } from '#lib/telemetry/index.ts';
import { chunk, type ModelServer, type ModelStep, raw, refused, startModelServer } from '#lib/testing/model-server.ts';
import { createRunLab, type RunLab } from '#lib/testing/run-lab.ts';

const KEY = 'sk-never-to-be-seen-7f3a9c51';

let lab: RunLab;
let provider: ModelServer;
const logged: string[] = [];

beforeAll(async () => {
  lab = await createRunLab();
  provider = await startModelServer();
  setLogLevel('trace');
  Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => void logged.push(line) } });
});
afterAll(async () => {
  setLogLevel('silent');
  await provider.close();
  await lab.close();
});

/** A run whose provider answers so; gives everything a client is told of it. */
async function runWith(step: ModelStep, fallsBack: boolean): Promise<string> {
  const spec = { provider: 'compatible', model: 'scripted' } as const;
  const model = createLanguageModel({ spec, baseUrl: provider.url, apiKey: KEY, fetch: globalThis.fetch });
  lab.useModel({ status: 'available', model, price: null, fallsBack });
  provider.script(step);
  const { actor, sessionId } = await lab.aSession();
  const { runId } = await lab.runs.submitMessage(actor, { sessionId, text: 'test.effect-read look' });
  const events = await lab.readAll(actor, runId);
  return JSON.stringify([events, await lab.runs.getRun(actor, runId), await lab.runs.listRuns(actor, { limit: 10 })]);
}

/** Every row of every table, the engine's own too. */
async function readDatabase(): Promise<string> {
  const tables = await lab.owner<{ schema: string; name: string }[]>`
    select schemaname as schema, tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;
  const rows = await Promise.all(
    tables.map(
      ({ schema, name }) => lab.owner<{ row: string }[]>`select to_jsonb(t)::text as row from ${lab.owner(schema)}.${lab.owner(name)} t`,
    ),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

it('lets a provider that repeats its key tell it to nobody: not clients, not the database, not the log', async () => {
  const said = `Incorrect API key provided: ${KEY}.`;
  const told = [
    await runWith(refused(401, said), false),
    await runWith(refused(401, said), true),
    await runWith(refused(400, said, { 'x-key': KEY }), false),
    await runWith((_request, response) => void response.writeHead(403, { 'content-type': 'text/html' }).end(`<p>${said}</p>`), false),
    await runWith(raw([`data: ${JSON.stringify({ error: { message: said } })}\n\n`]), false),
    await runWith(raw([chunk({ choices: [{ index: 0, delta: { content: 'Well' }, finish_reason: null }] }), `data: ${said}\n\n`]), false),
  ];
  expect(provider.requests.map(({ headers }) => headers.authorization)).toEqual(told.map(() => `Bearer ${KEY}`));
  // They were told what went wrong all the same.
  expect(told[0]).toContain('Incorrect API key provided: ••••');
  for (const text of told) expect(text).not.toContain(KEY);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join('')).not.toContain(KEY);
  expect(await readDatabase()).not.toContain(KEY);
});
