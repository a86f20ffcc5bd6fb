import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AnswerText } from './domain/answer-text.ts';
import type { Boundary } from './domain/boundary.ts';
import type { RunWriter } from './run-writer.ts';
import { TextStream } from './text-stream.ts';

const textOf = ({ events }: Boundary) =>
  (events ?? []).map(({ payload }) => (typeof payload.text === 'string' ? payload.text : '?')).join('+');

function lab() {
  const sent: string[] = [];
  const writer = {
    post: (boundary: Boundary) => void sent.push(`now ${textOf(boundary)}`),
    defer: (boundary: Boundary) => void sent.push(`later ${textOf(boundary)}`),
  };
  const answer = new AnswerText(new Map());
  const stream = new TextStream({
    writer: writer as unknown as RunWriter,
    answer,
    clock: { now: () => new Date() },
    step: 0,
    attempt: 1,
    separator: '',
  });
  return { stream, sent };
}

describe('TextStream', () => {
  it('lets the first words go at once and gathers the next', async () => {
    const { stream, sent } = lab();
    stream.push('He');
    stream.push('llo');
    await sleep(20);
    expect(sent).toEqual(['now Hello']);
    stream.push(' wo');
    await sleep(20);
    stream.push('rld');
    expect(sent).toEqual(['now Hello']);
    await sleep(120);
    expect(sent).toEqual(['now Hello', 'now  world']);
  });

  it('lets what was gathered share the write of what ends it', async () => {
    const { stream, sent } = lab();
    stream.push('Hello');
    stream.flush();
    await sleep(20);
    expect(sent).toEqual(['later Hello']);
  });
});
