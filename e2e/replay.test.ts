import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecordedRun, replay } from '#lib/testing/recorded-run.ts';

const FOLDER = path.resolve(import.meta.dirname, 'fixtures', 'replay');
const files = globSync('*/*.json', { cwd: FOLDER }).sort();

const ENDINGS = new Set<string>(['ModelResponseProduced', 'RUN_FINISH', 'RUN_ERROR', 'run-state', 'AgentTurnCompleted', 'STREAM_DONE']);

/**
 * Runs that earlier versions began, as their records stand in a database that is upgraded: this version carries them on to
 * the same answers by the same decisions, asks no model again and repeats no call.
 */
describe('runs recorded by', () => {
  it('every version are there', () => {
    expect(files.filter((file) => file.startsWith('v1/'))).toHaveLength(5);
  });

  it.each(files)('%s end as they did', async (file) => {
    const recorded = readRecordedRun(readFileSync(path.join(FOLDER, file), 'utf8'));
    const { outcome, surprises, written } = await replay(recorded);
    expect(surprises).toEqual([]);
    expect(outcome).toEqual(recorded.outcome);
    expect(written.flatMap((boundary) => [...(boundary.invocations ?? []), ...(boundary.modelCalls ?? [])])).toEqual([]);
    // What a reader has heard is not said again.
    const told = written.flatMap((boundary) => boundary.events ?? []).map(({ type }) => type);
    expect(told.filter((type) => !ENDINGS.has(type))).toEqual([]);
  });

  it('no version are carried on without their records: what is missing is asked for', async () => {
    const recorded = readRecordedRun(readFileSync(path.join(FOLDER, 'v1', 'model-with-tools.json'), 'utf8'));
    const [last] = [...recorded.records.modelCalls.keys()].sort().slice(-1);
    const modelCalls = new Map([...recorded.records.modelCalls].filter(([at]) => at !== last));
    const { surprises } = await replay({ ...recorded, records: { ...recorded.records, modelCalls } });
    expect(surprises[0]).toContain('a model call with 6 messages');
  });
});
