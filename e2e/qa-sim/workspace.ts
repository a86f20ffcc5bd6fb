import type { RecordedRun, RecordedWorkspace } from '#lib/testing/recorded-workspace.ts';

/** Where and when the questions are asked: a Wednesday morning in Shanghai. */
export const ASKED_AT = new Date('2026-11-18T04:00:00Z');
export const TIME_ZONE = 'Asia/Shanghai';

type Call = RecordedRun['calls'][number];
const ok = (capabilityId: string, durationMs: number): Call => ({ capabilityId, error: null, durationMs });
const failed = (capabilityId: string, error: string, durationMs: number): Call => ({ capabilityId, error, durationMs });

function run(
  at: string,
  person: string,
  state: RecordedRun['state'],
  durationMs: number | null,
  calls: readonly Call[] = [],
  rest: Partial<Pick<RecordedRun, 'preset' | 'models'>> = {},
): RecordedRun {
  return { at: new Date(`${at}+08:00`), person, preset: 'default', state, durationMs, calls, models: [], ...rest };
}

const model = (name: string, inputTokens: number, outputTokens: number, costMicros: number) => [
  { model: name, inputTokens, outputTokens, costMicros, currency: 'USD' },
];

/** A workspace with three busy weeks on record: what the labelled questions are asked about. */
export const WORKSPACE: RecordedWorkspace = {
  people: [
    { name: 'Ada', role: 'owner', joinedAt: new Date('2026-01-10T02:00:00Z') },
    { name: 'Bo', role: 'member', joinedAt: new Date('2026-03-05T02:00:00Z') },
    { name: 'Chen', role: 'member', joinedAt: new Date('2026-11-03T02:00:00Z') },
    { name: 'Di', role: 'auditor', joinedAt: new Date('2026-11-10T02:00:00Z') },
  ],
  documents: [
    { title: 'Handbook', language: 'en', createdAt: new Date('2026-02-01T02:00:00Z'), updatedAt: new Date('2026-02-01T02:00:00Z') },
    { title: '手册', language: 'zh-CN', createdAt: new Date('2026-02-01T03:00:00Z'), updatedAt: new Date('2026-02-01T03:00:00Z') },
    { title: 'Travel rules', language: 'en', createdAt: new Date('2026-10-15T02:00:00Z'), updatedAt: new Date('2026-10-15T02:00:00Z') },
    { title: 'Leave policy', language: 'en', createdAt: new Date('2026-11-04T02:00:00Z'), updatedAt: new Date('2026-11-17T02:00:00Z') },
  ],
  runs: [
    run('2026-10-05T10:00:00', 'Ada', 'FINISH_OK', 1100, [ok('echo', 1)]),
    run('2026-10-20T10:00:00', 'Bo', 'FINISH_ERROR', 400),
    run('2026-11-09T10:00:00', 'Ada', 'FINISH_OK', 1000, [ok('math.calculate', 30)]),
    run('2026-11-10T10:00:00', 'Bo', 'FINISH_OK', 1200, [ok('units.convert', 40)]),
    run('2026-11-11T10:00:00', 'Bo', 'FINISH_ERROR', 800, [failed('units.convert', 'capability_failed', 25)]),
    run('2026-11-13T10:00:00', 'Ada', 'FINISH_OK', 900, [], { models: model('m-large', 2000, 500, 9000) }),
    run('2026-11-15T23:30:00', 'Chen', 'FINISH_ERROR', 700, [failed('knowledge.search', 'timeout', 10_000)]),
    // Monday here, Sunday in UTC.
    run('2026-11-16T00:30:00', 'Ada', 'FINISH_OK', 1000, [ok('math.calculate', 20)]),
    run('2026-11-16T11:00:00', 'Bo', 'FINISH_ERROR', 2000, [failed('math.calculate', 'invalid_arguments', 10)]),
    run('2026-11-17T09:00:00', 'Bo', 'FINISH_OK', 3000, [ok('knowledge.search', 120), ok('echo', 2)], { preset: 'qa-sim' }),
    run('2026-11-17T10:00:00', 'Chen', 'TIMEOUT', 30_000, [failed('knowledge.search', 'timeout', 10_000)]),
    run('2026-11-18T08:00:00', 'Ada', 'FINISH_OK', 1500, [ok('time.now', 5)], { models: model('m-small', 1000, 200, 1500) }),
    run('2026-11-18T09:00:00', 'Bo', 'CANCELLED', 500, [failed('math.calculate', 'capability_failed', 15)]),
    run('2026-11-18T09:30:00', 'Chen', 'WAITING', null),
  ],
};
