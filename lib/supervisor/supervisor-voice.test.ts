import { describe, expect, it } from 'vitest';
import { newId, systemClock } from '#lib/kernel/index.ts';
import { AnswerText } from './domain/answer-text.ts';
import type { Boundary } from './domain/boundary.ts';
import type { RunJournal } from './ports.ts';
import { RunWriter } from './run-writer.ts';
import { SupervisorVoice } from './supervisor-voice.ts';

/** The voice of a driver that carries a run on of which this text is shown, by call. */
function carriedOn(shown: readonly (readonly [number, string])[]) {
  const written: Boundary[] = [];
  const journal: Pick<RunJournal, 'write'> = { write: async (_key, boundary) => void written.push(boundary) };
  const key = { tenantId: newId('tenant'), sessionId: newId('session'), runId: newId('run'), epoch: 2 };
  const writer = new RunWriter({ journal: journal as RunJournal, key });
  const answer = new AnswerText(new Map(shown.map(([call, text]) => [call, { text }])));
  return { answer, voice: new SupervisorVoice({ run: { epoch: 2 }, writer, answer, clock: systemClock }), writer, written };
}

describe('SupervisorVoice', () => {
  it('says a call again that was cut off, without a gap before the first words of an answer', async () => {
    const { voice, answer, writer, written } = carriedOn([[1, 'half an ans']]);
    voice.restart(1);
    voice.text(1, 'Done.');
    voice.flush();
    await writer.flush();
    expect(answer.whole()).toBe('Done.');
    expect(written.flatMap(({ events }) => events ?? []).map(({ type, payload }) => [type, payload.text])).toEqual([
      ['text-reset', undefined],
      ['text-delta', 'Done.'],
    ]);
  });

  it('sets calls apart', () => {
    const { voice, answer } = carriedOn([
      [0, 'Let me see.'],
      [1, '\n\nhalf'],
    ]);
    voice.restart(1);
    voice.text(1, 'Done.');
    voice.flush();
    expect(answer.whole()).toBe('Let me see.\n\nDone.');
  });
});
