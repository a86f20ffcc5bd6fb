import { sessionView } from '#lib/conversations/contract.ts';
import { documentSummaryView } from '#lib/knowledge/contract.ts';
import { expect, test } from './fixtures.ts';
import { installPlugin } from './install-plugin.ts';
import { newDatabaseName, prepareDatabase, startInstance } from './product-instance.ts';
import { expectRefusal, type TenantClient } from './tenant-client.ts';
import { verifies } from './verifies-in-browser.ts';
import { createWorkspace, foundFirstWorkspace } from './workspaces.ts';

/** Asks in a session of its own under the preset; the answer and how the run went. */
async function askUnder(api: TenantClient, preset: string, text: string, more: { locale?: string } = {}) {
  const { id } = await api.post('/sessions', { preset }, sessionView);
  const { snapshot } = await api.ask(id, text, more);
  return { sessionId: id, answer: snapshot.echo, run: await api.getRun(snapshot.runId) };
}

verifies('P-20', 'QA_SIM answers from what is on record: with other records, the answer is another', async ({ origin }) => {
  const { api } = await createWorkspace(origin);
  expectRefusal(await api.send('/sessions', { json: { preset: 'qa-sim' } }), 409, 'plugin_not_installed');
  await installPlugin(api, 'QA_SIM');

  const question = 'How many runs failed this week, and how many documents are there?';
  const before = await askUnder(api, 'qa-sim', question);
  expect(before.answer).toContain('**0 failed runs**');
  expect(before.answer).toContain('**0 documents**');

  const failing = await api.createSession();
  await api.ask(failing.id, 'What is 1 / 0?');
  await api.post('/documents', { title: 'Opening hours', language: 'en', body: '# Hours\n\nNine to five.' }, documentSummaryView);
  const after = await askUnder(api, 'qa-sim', question);
  expect(after.answer).toContain('**1 failed run**');
  expect(after.answer).toContain('**1 document**');

  const chinese = await askUnder(api, 'qa-sim', '本周失败了多少次运行，哪个工具失败最多？', { locale: 'zh-CN' });
  expect(chinese.answer).toContain('**1 次失败的运行**');
  expect(chinese.answer).toContain('math.calculate');

  expect(after.run).toMatchObject({ state: 'FINISH_OK', path: 'deterministic', graph: 'qa_sim', pathReason: { code: 'pipeline' } });
  expect(after.run.plan?.stages?.map(({ id, state }) => [id, state])).toEqual([
    ['intent', 'done'],
    ['data', 'done'],
    ['analyst', 'done'],
    ['executor', 'done'],
  ]);
  expect(after.run.plan?.stages?.[0]).toMatchObject({
    confidence: expect.any(Number),
    reasons: expect.arrayContaining(['failed: failed', 'period: this week']),
  });
  expect(after.run.invocations.map(({ capabilityId, state }) => [capabilityId, state])).toEqual([
    ['qa_sim.runs', 'SUCCEEDED'],
    ['qa_sim.runs', 'SUCCEEDED'],
    ['qa_sim.documents', 'SUCCEEDED'],
    ['echo', 'SUCCEEDED'],
  ]);
});

verifies(['P-20', 'K1'], 'QA_SIM goes on where its process was killed, and reads nothing twice', async () => {
  test.setTimeout(120_000);
  const name = newDatabaseName('qa');
  await prepareDatabase(name);
  // Dies when the figures have been read.
  const first = await startInstance(name, { FAULT_POINT: 'stage.done:2' });
  const { api } = await foundFirstWorkspace(first.origin);
  await installPlugin(api, 'QA_SIM');
  const { id } = await api.post('/sessions', { preset: 'qa-sim' }, sessionView);
  const { runId } = await api.say(id, 'How many runs were there this week?');
  await first.ended;
  const second = await startInstance(name);
  try {
    const there = api.with({ origin: second.origin });
    const run = await there.getEndedRun(runId, 30_000);
    expect(run).toMatchObject({ state: 'FINISH_OK', epoch: 2, answer: expect.stringContaining('**0 runs**') });
    expect(run.invocations.map(({ capabilityId, state, attempt }) => [capabilityId, state, attempt])).toEqual([
      ['qa_sim.runs', 'SUCCEEDED', 1],
      ['qa_sim.runs', 'SUCCEEDED', 1],
      ['echo', 'SUCCEEDED', 1],
    ]);
    const completed = (await there.listEvents(runId)).filter(({ type }) => type === 'stage-completed').map(({ payload }) => payload['id']);
    expect(completed).toEqual(['intent', 'data', 'analyst', 'executor']);
  } finally {
    await second.stop();
  }
});

verifies('P-20', 'QA_SIM tells a person no more than they may see, and says what it can answer', async ({ origin }) => {
  const workspace = await createWorkspace(origin);
  await installPlugin(workspace.api, 'QA_SIM');
  const member = await workspace.apiOf(await workspace.addPerson('member'));
  await workspace.api.ask((await workspace.api.createSession()).id, 'What is 2 + 2?');
  await workspace.api.ask((await workspace.api.createSession()).id, 'What is 2 + 3?');

  const members = await askUnder(member, 'qa-sim', 'How many members are there?');
  expect(members.answer).toContain('member:read');
  expect(members.answer).not.toMatch(/\d members/);
  const runs = await askUnder(member, 'qa-sim', 'How many runs were there today?');
  expect(runs.answer).toContain('**1 run**');
  expect(runs.answer).toContain('Your own runs only');
  expect((await askUnder(workspace.api, 'qa-sim', 'How many runs were there today?')).answer).toContain('**4 runs**');

  const unclear = await askUnder(member, 'qa-sim', 'Will it rain tomorrow?');
  expect(unclear.answer).toContain('How many runs failed this week?');
  expect(unclear.answer).not.toContain('How many members');
  expect(unclear.run.plan?.stages?.map(({ state }) => state)).toEqual(['done', 'skipped', 'skipped', 'done']);
});

verifies(
  'P-22',
  'what a preset does not list is not there under it, and with its plugin gone neither is the preset',
  async ({ origin }) => {
    const { api } = await createWorkspace(origin);
    await installPlugin(api, 'FINANCE_CALCULATOR');
    const loan = await askUnder(api, 'finance', 'Monthly payment for a loan of 300,000 at 4.2% over 30 years');
    expect(loan.answer).toContain('1,467.05');
    const outside = await askUnder(api, 'finance', 'What time is it in Tokyo?');
    expect(outside.run.invocations.map(({ capabilityId }) => capabilityId)).not.toContain('time.now');
    expect((await api.ask((await api.createSession()).id, 'What time is it in Tokyo?')).snapshot.pipeline_trace).toMatchObject([
      { capabilityId: 'time.now' },
    ]);

    const gone = await api.send('/marketplace/FINANCE_CALCULATOR?confirm=FINANCE_CALCULATOR', { method: 'DELETE' });
    expect(gone.status).toBeLessThan(300);
    expectRefusal(
      await api.send(`/sessions/${loan.sessionId}/messages`, { json: { text: 'And over 20 years?' } }),
      409,
      'plugin_not_installed',
    );
    const without = await api.ask((await api.createSession()).id, 'Monthly payment for a loan of 300,000 at 4.2% over 30 years');
    expect(without.snapshot.pipeline_trace.map(({ capabilityId }) => capabilityId)).not.toContain('finance.loan');
  },
);

test('every plugin of the catalogue is installed and answers', async ({ origin }) => {
  test.setTimeout(120_000);
  const { api } = await createWorkspace(origin);
  for (const id of ['DOCUMENT_QA', 'CAMPUS_ASSISTANT', 'MEETING_SUMMARISER', 'REPORT_WRITER', 'FINANCE_CALCULATOR'])
    await installPlugin(api, id);
  const cited = await askUnder(api, 'document-qa', 'How many grade points are 85 out of 100?');
  expect(cited.answer).toContain('3.7');
  expect(cited.answer).toContain('How teaching weeks and grade points are counted');
  expect((await askUnder(api, 'campus', 'GPA: 90x3, 85x2')).answer).toContain('grade points');
  expect(
    (
      await askUnder(
        api,
        'meeting-summary',
        'Ada: We agreed to ship on Friday.\nBo: I will test the build by Thursday.\nAda: The build was slow last week.',
      )
    ).answer,
  ).toContain('| I will test the build by Thursday. | Bo | Thursday |');
  expect((await askUnder(api, 'report', 'Report for this week')).answer).toContain('# Activity report');
  expect((await askUnder(api, 'finance', 'Exchange 100 USD to CNY')).run.error?.message).toContain('No exchange rates have been entered');
});

test('the chat shows the stages of an answer, in both languages', async ({ origin, page, openAs }) => {
  const { api, ownerApi, slug } = await createWorkspace(origin);
  await installPlugin(api, 'QA_SIM');
  await openAs(ownerApi);
  const { sessionId } = await askUnder(ownerApi, 'qa-sim', 'How many members are there?');
  await page.goto(`/${slug}/chat/${sessionId}`);
  await expect(page.getByText('1 member', { exact: false }).first()).toBeVisible();
  await page.getByRole('button', { name: /Answered in stages|4\/4/ }).click();
  for (const stage of ['Intent', 'Data', 'Analyst', 'Executor']) await expect(page.getByText(stage, { exact: true }).first()).toBeVisible();
});
