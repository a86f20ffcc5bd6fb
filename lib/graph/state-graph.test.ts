import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#lib/kernel/index.ts';
import { END, type NodeRecords, START, StateGraph } from './state-graph.ts';

interface State {
  value?: string;
  seen?: string[];
}
const channels = { value: 'replace', seen: 'append' } as const;

function memoryRecords(initial: Record<string, JsonObject> = {}): NodeRecords & { kept: Map<string, JsonObject> } {
  const kept = new Map(Object.entries(initial));
  return { kept, find: (path) => kept.get(path), record: async (path, output) => void kept.set(path, output) };
}
const never = new AbortController().signal;

describe('StateGraph', () => {
  it('replaces and appends by channel', async () => {
    const graph = new StateGraph<State>('g', channels)
      .addNode('a', async () => ({ value: 'a', seen: ['a'] }))
      .addNode('b', async () => ({ value: 'b', seen: ['b'] }))
      .addEdge(START, 'a')
      .addEdge('a', 'b')
      .addEdge('b', END)
      .compile();
    expect(await graph.run({ state: { seen: ['start'] }, records: memoryRecords(), signal: never })).toEqual({
      value: 'b',
      seen: ['start', 'a', 'b'],
    });
  });

  it('merges parallel branches in the listed order, whichever ends first, and joins once', async () => {
    let joins = 0;
    const graph = new StateGraph<State>('g', channels)
      .addNode('slow', async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { seen: ['slow'] };
      })
      .addNode('fast', async () => ({ seen: ['fast'] }))
      .addNode('join', async () => {
        joins += 1;
        return {};
      })
      .addConditionalEdge(START, () => ['fast', 'slow'])
      .addJoin(['slow', 'fast'], 'join')
      .addEdge('join', END)
      .compile();
    const state = await graph.run({ state: {}, records: memoryRecords(), signal: never });
    expect(state.seen).toEqual(['slow', 'fast']);
    expect(joins).toBe(1);
  });

  it('does not run a node again that has a record, in a loop either', async () => {
    const ran: string[] = [];
    const graph = new StateGraph<State>('g', channels)
      .addNode('again', async (_state, { path }) => {
        ran.push(path);
        return { seen: [path] };
      })
      .addEdge(START, 'again')
      .addConditionalEdge('again', (state) => ((state.seen?.length ?? 0) < 3 ? 'again' : END))
      .compile();
    const records = memoryRecords({ again: { seen: ['again'] }, 'again#2': { seen: ['again#2'] } });
    const state = await graph.run({ state: {}, records, signal: never });
    expect(ran).toEqual(['again#3']);
    expect(state.seen).toEqual(['again', 'again#2', 'again#3']);
  });

  it('lets the siblings of a failing branch finish and keeps their records', async () => {
    const graph = new StateGraph<State>('g', channels)
      .addNode('fails', async () => Promise.reject(new Error('broken')))
      .addNode('works', async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        return { value: 'done' };
      })
      .addConditionalEdge(START, () => ['fails', 'works'])
      .addEdge('fails', END)
      .addEdge('works', END)
      .compile();
    const records = memoryRecords();
    await expect(graph.run({ state: {}, records, signal: never })).rejects.toThrow('broken');
    expect(records.kept.get('works')).toEqual({ value: 'done' });
  });

  it('stops at the step limit and when the signal fires', async () => {
    const graph = new StateGraph<State>('g', channels)
      .addNode('loop', async () => ({}))
      .addEdge(START, 'loop')
      .addEdge('loop', 'loop')
      .compile();
    await expect(graph.run({ state: {}, records: memoryRecords(), signal: never, maxSteps: 5 })).rejects.toThrow('more than 5 steps');
    await expect(graph.run({ state: {}, records: memoryRecords(), signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  it('refuses a graph with a dead end', () => {
    expect(() =>
      new StateGraph<State>('g', channels)
        .addNode('a', async () => ({}))
        .addEdge(START, 'a')
        .compile(),
    ).toThrow('no edge leaves a');
  });
});
