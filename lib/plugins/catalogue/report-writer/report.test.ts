import { describe, expect, it } from 'vitest';
import { ASKED_AT, TIME_ZONE, WORKSPACE } from '#e2e/qa-sim/workspace.ts';
import { BUILT_IN_ROLE_PERMISSIONS } from '#lib/tenancy/index.ts';
import { benchPipeline } from '#lib/testing/pipeline-bench.ts';
import { figuresOf } from '#lib/testing/recorded-workspace.ts';
import { reportWriter } from './manifest.ts';
import { reportPipeline } from './pipeline.ts';

function write(input: string, role: 'owner' | 'member' = 'owner') {
  const host = { figures: figuresOf(WORKSPACE, 'Bo') } as never;
  return benchPipeline({
    pipeline: reportPipeline,
    input,
    capabilities: reportWriter.capabilities.map(({ metadata, create }) => ({ metadata, handler: create(host) })),
    permissions: new Set(BUILT_IN_ROLE_PERMISSIONS[role]),
    locale: /\p{Script=Han}/u.test(input) ? 'zh-CN' : 'en',
    timeZone: TIME_ZONE,
    now: ASKED_AT,
  });
}

describe('the report', () => {
  it('tells of a period beside the one before it', async () => {
    const { answer } = await write('Write a report for last week');
    expect(answer).toContain('# Activity report');
    expect(answer).toContain('last week (9 Nov 2026 – 15 Nov 2026)');
    expect(answer).toContain('- 5 runs, 2 of them failed.');
    expect(answer).toContain('| Failed | 2 | 0 |');
    expect(answer).toContain('| units.convert | 2 | 1 | 33 |');
    expect(answer).toContain('tokens: 2500');
    expect(answer).toContain('| member | 2 |');
  });

  it('takes this week where nothing is said, and says so in its record', async () => {
    const { answer, stages } = await write('写一份报告');
    expect(answer).toContain('本周');
    expect(answer).toContain('7 次运行');
    expect(stages[0]?.report).toMatchObject({ confidence: 0.7, reasons: expect.arrayContaining(['未指定时间：本周']) });
  });

  it('keeps to the sections that are named', async () => {
    const { answer, called } = await write('documents report of this month');
    expect(answer).toContain('## Documents');
    expect(answer).not.toContain('## Runs');
    expect([...new Set(called)]).toEqual(['report.documents', 'echo']);
  });

  it('tells a member their own runs, and that the rest is not theirs to see', async () => {
    const { answer } = await write('report for this week', 'member');
    expect(answer).toContain('3 runs');
    expect(answer).toContain('Your own runs only');
    expect(answer).toContain('⚠ permission denied: report.members needs member:read');
    expect(answer).not.toContain('Chen');
  });
});
