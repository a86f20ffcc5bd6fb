import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageView } from '#lib/conversations/contract.ts';
import { endOf, ROOT, shownTurns, turnsBefore } from './branches.ts';

function asked(id: string, parentId: string | null): MessageView {
  return { ...said(id, parentId, `run_${id}`), role: 'user' };
}
function answered(id: string, parentId: string, state: MessageView['state'] = 'complete'): MessageView {
  return { ...said(id, parentId, `run_${parentId}`), role: 'assistant', state };
}
function said(id: string, parentId: string | null, runId: string): MessageView {
  return {
    id,
    parentId,
    role: 'user',
    runId,
    text: `${id} text`,
    state: 'complete',
    createdAt: '2026-01-01T00:00:00Z',
    isPinned: false,
    usage: null,
  };
}
const idsOf = (turns: ReturnType<typeof shownTurns>) => turns.map(({ message }) => message.id);

/** Two turns, the second of which was asked again, and the first edited. */
const BRANCHED = [
  asked('a', null),
  answered('a1', 'a'),
  asked('b', 'a1'),
  answered('b1', 'b'),
  asked('c', 'a1'),
  answered('c1', 'c'),
  asked('d', null),
  answered('d1', 'd'),
];

describe('shownTurns', () => {
  it('shows a chat without branches as it was written', () => {
    const turns = shownTurns([asked('a', null), answered('a1', 'a'), asked('b', 'a1'), answered('b1', 'b')], [], {});
    expect(idsOf(turns)).toEqual(['a', 'b']);
    expect(turns.map(({ answer }) => answer?.message?.id)).toEqual(['a1', 'b1']);
    expect(turns.every(({ siblings }) => siblings.length === 1)).toBe(true);
  });

  it('shows the branch with the newest message where nothing was chosen, and any other when it was', () => {
    expect(idsOf(shownTurns(BRANCHED, [], {}))).toEqual(['d']);
    expect(idsOf(shownTurns(BRANCHED, [], { [ROOT]: 'a' }))).toEqual(['a', 'c']);
    expect(idsOf(shownTurns(BRANCHED, [], { [ROOT]: 'a', a: 'b' }))).toEqual(['a', 'b']);
    expect(shownTurns(BRANCHED, [], { [ROOT]: 'a' }).map(({ siblings }) => siblings)).toEqual([
      ['a', 'd'],
      ['b', 'c'],
    ]);
  });

  it('goes to an older sibling when the newest message stands under it', () => {
    expect(idsOf(shownTurns([...BRANCHED, asked('e', 'b1')], [], {}))).toEqual(['a', 'b', 'e']);
  });

  it('passes over a choice that is not there', () => {
    expect(idsOf(shownTurns(BRANCHED, [], { [ROOT]: 'gone', a: 'gone' }))).toEqual(['d']);
  });

  it('takes a queued message for one that follows the message before it, not for a branch', () => {
    const turns = shownTurns([asked('a', null), asked('b', 'a'), asked('c', 'b')], ['run_a', 'run_b', 'run_c'], {});
    expect(idsOf(turns)).toEqual(['a', 'b', 'c']);
    expect(turns.map(({ answer }) => answer)).toEqual(['a', 'b', 'c'].map((id) => ({ runId: `run_${id}`, message: null })));
  });

  it('counts messages as siblings whether they follow the answer or the message itself', () => {
    const turns = shownTurns([asked('a', null), asked('b', 'a'), answered('a1', 'a'), asked('c', 'a1')], [], {});
    expect(turns[1]?.siblings).toEqual(['b', 'c']);
  });

  it('shows an answer under its run, once, streaming, stored or both', () => {
    const messages = [asked('a', null), answered('a1', 'a', 'streaming'), answered('a2', 'a')];
    expect(shownTurns(messages, ['run_a', 'run_a'], {}).map(({ answer }) => [answer?.runId, answer?.message?.id])).toEqual([
      ['run_a', 'a1'],
    ]);
    expect(shownTurns([asked('a', null)], ['run_z'], {})[0]?.answer).toBeNull();
  });

  it('reads a chat of five thousand turns, and one where every turn has a branch', () => {
    const deep = Array.from({ length: 5000 }, (_, index) => asked(`m${index}`, index === 0 ? null : `m${index - 1}`));
    expect(shownTurns(deep, [], {})).toHaveLength(5000);
    const bushy = deep.flatMap((message, index) => (index === 0 ? [message] : [message, asked(`x${index}`, message.parentId)]));
    expect(idsOf(shownTurns(bushy, [], {})).slice(-2)).toEqual(['m4998', 'x4999']);
  });

  it('reaches every message by some choice, and destroys none', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), (picks) => {
        const messages: MessageView[] = [];
        picks.forEach((pick, index) => {
          const parent = pick % (messages.length + 1);
          messages.push(asked(`m${index}`, parent === messages.length ? null : (messages[parent]?.id ?? null)));
        });
        for (const message of messages) {
          const choice: Record<string, string> = {};
          for (let at: MessageView | undefined = message; at; ) {
            choice[at.parentId ?? ROOT] = at.id;
            const { parentId }: MessageView = at;
            at = messages.find(({ id }) => id === parentId);
          }
          expect(idsOf(shownTurns(messages, [], choice))).toContain(message.id);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('what a new message follows', () => {
  it('is the last answer of the branch that is shown, or its message while nothing is stored of the answer', () => {
    expect(endOf(shownTurns(BRANCHED, [], { [ROOT]: 'a', a: 'b' }))).toBe('b1');
    expect(endOf(shownTurns([asked('a', null)], ['run_a'], {}))).toBe('a');
    expect(endOf([])).toBeNull();
  });
});

describe('turnsBefore', () => {
  it('ends where the edited message stands, whichever of its siblings is shown', () => {
    const turns = shownTurns(BRANCHED, [], { [ROOT]: 'a' });
    expect(turnsBefore(turns, 'b').map(({ message }) => message.id)).toEqual(['a']);
    expect(turnsBefore(turns, 'a')).toEqual([]);
    expect(turnsBefore(turns, 'unknown')).toBe(turns);
  });
});
