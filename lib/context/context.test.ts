import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { newId } from '#lib/kernel/index.ts';
import { assembleContext } from './assemble-context.ts';
import { createHistoryContributor, describeTurns } from './history-contributor.ts';
import { createOntologyContributor } from './ontology-contributor.ts';
import type { ContextContributor } from './ports.ts';

const request = {
  scope: { tenantId: newId('tenant') },
  sessionId: newId('session'),
  agentId: 'default',
  messageId: newId('message'),
  message: 'hi',
};

function contributor(name: string, order: number, ...fragments: [string, string, string][]): ContextContributor {
  return { name, order, contribute: async () => fragments.map(([namespace, key, value]) => ({ namespace, key, value })) };
}

describe('assembleContext', () => {
  verifies('P-23', 'asks in order, and for one key the later contributor wins', async () => {
    const { fragments, text } = await assembleContext(
      [
        contributor('late', 5, ['a', 'x', 'new']),
        contributor('early', 1, ['a', 'x', 'old'], ['a', 'y', 'kept']),
        contributor('first', 0, ['b', 'x', 'other']),
      ],
      request,
    );
    expect(fragments.map((fragment) => [fragment.contributor, fragment.value, fragment.isOverridden])).toEqual([
      ['first', 'other', false],
      ['early', 'old', true],
      ['early', 'kept', false],
      ['late', 'new', false],
    ]);
    expect(text).toBe('## b.x\nother\n\n## a.y\nkept\n\n## a.x\nnew');
  });

  verifies('P-24', 'has the ontology at order 0 and the conversation at order 1', async () => {
    let revision = 'r1';
    const ontology = createOntologyContributor(async () => ({ summary: 'Library: hours', revision }));
    const history = createHistoryContributor({
      summary: null,
      turns: [{ runId: newId('run'), seq: 1, user: 'q', assistant: 'a', isPinned: false }],
      turnCount: 1,
    });
    const before = await assembleContext([history, ontology], request);
    expect(before.fragments.map((fragment) => [fragment.order, `${fragment.namespace}.${fragment.key}`])).toEqual([
      [0, 'ontology.summary'],
      [0, 'ontology.revision'],
      [1, 'conversation.history'],
    ]);
    revision = 'r2';
    expect((await assembleContext([history, ontology], request)).text).toContain('r2');
  });
});

describe('describeTurns', () => {
  it('says how many turns there are and what was cut', () => {
    const turns = Array.from({ length: 50 }, (_, index) => ({ user: `q${index}`, assistant: 'x'.repeat(index === 49 ? 1_300 : 1) }));
    const text = describeTurns(turns);
    expect(text).toMatch(/^12 of 50 earlier turn/);
    expect(text).toContain('q38');
    expect(text).not.toContain('q37');
    expect(text).toContain('(100 more characters)');
    expect(text.length).toBeLessThan(3_000);
  });
});
