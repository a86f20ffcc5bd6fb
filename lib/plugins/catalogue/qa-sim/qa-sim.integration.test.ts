import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { newId, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { createRunLab, type RunLab } from '#lib/testing/run-lab.ts';
import { qaSim } from './manifest.ts';

let lab: RunLab;
beforeAll(async () => {
  lab = await createRunLab({ manifests: [qaSim], hasBuiltIns: true, timeLimitMs: 20_000 });
});
afterAll(() => lab?.close());

async function ask(given: Awaited<ReturnType<RunLab['aSession']>>, text: string) {
  const { runId } = await lab.runs.submitMessage(given.actor, { sessionId: given.sessionId, text });
  await lab.readAll(given.actor, runId);
  return lab.runs.getRun(given.actor, runId);
}

async function addDocument({ scope }: Actor, title: string): Promise<void> {
  await lab.owner`
    insert into knowledge_document (tenant_id, id, title, language, body)
    values (${toUuid(scope.tenantId)}, ${toUuid(newId('document'))}, ${title}, 'en', 'text')`;
}

describe('QA_SIM on a workspace’s records', () => {
  verifies('P-20', 'answers by its four stages from what is on record: with other records, the answer is another', async () => {
    const session = await lab.aSession('qa-sim');
    const question = 'How many runs failed this week, which tool failed most, and how many documents are there?';
    const before = await ask(session, question);
    expect(before).toMatchObject({ state: 'FINISH_OK', graph: 'qa_sim', path: 'deterministic', pathReason: { code: 'pipeline' } });
    expect(before.plan?.stages?.map(({ id, state }) => [id, state])).toEqual([
      ['intent', 'done'],
      ['data', 'done'],
      ['analyst', 'done'],
      ['executor', 'done'],
    ]);
    expect(before.answer).toContain('**0 failed runs**');
    expect(before.answer).toContain('**0 documents**');

    const work = await lab.aSession('default', session.actor);
    await ask(work, 'test.handlerless broken');
    await addDocument(session.actor, 'Opening hours');
    const after = await ask(session, question);
    expect(after.answer).toContain('**1 failed run**');
    expect(after.answer).toContain('test.handlerless');
    expect(after.answer).toContain('**1 document**');
    expect(after.invocations.map(({ capabilityId, state }) => [capabilityId, state])).toEqual([
      ['qa_sim.runs', 'SUCCEEDED'],
      ['qa_sim.runs', 'SUCCEEDED'],
      ['qa_sim.calls', 'SUCCEEDED'],
      ['qa_sim.documents', 'SUCCEEDED'],
      ['echo', 'SUCCEEDED'],
    ]);
  });

  verifies('P-20', 'counts nothing of another workspace', async () => {
    const other = await lab.aSession('qa-sim');
    expect((await ask(other, 'How many runs failed, and how many documents are there?')).answer).toMatch(
      /\*\*0 failed runs\*\*[\s\S]*\*\*0 documents\*\*/,
    );
  });
});
