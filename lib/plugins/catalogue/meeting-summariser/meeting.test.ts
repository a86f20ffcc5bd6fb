import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benchPipeline } from '#lib/testing/pipeline-bench.ts';
import { meetingSummariser } from './manifest.ts';
import { meetingPipeline } from './pipeline.ts';
import { readMinutes, splitSentences } from './read-minutes.ts';
import { summariseMinutes } from './summarise-minutes.ts';

const ENGLISH = `Attendees: Ada Wong, Bo Berg and Chen

[10:02] Ada: The checkout page is slow, and customers leave the checkout page because of it.
Bo: The slow part of the checkout page is the tax service, which answers in 2.3 seconds.
Chen: Last month the tax service failed for customers twice.
Ada: We agreed to cache the answers of the tax service for one day.
Bo: I'll add the cache by Friday.
Ada: Chen will write to the tax provider before next week.
Chen: Do we tell customers about it?
Chen: It is raining.
- TODO: update the status page
Bo: Is the contract with the provider still running?`;

const CHINESE = `参会人：王芳、李强、赵敏

王芳：本次会议讨论新版首页的上线时间，首页的搜索功能还有问题。
李强：搜索功能在手机上很慢，首页打开要四秒。
赵敏：用户反馈首页的搜索结果不准。
王芳：我们决定把首页上线推迟到12月10日。
李强：我来优化搜索功能，下周五之前完成。
王芳：请赵敏整理用户反馈，本周内发给大家。
赵敏：预算够不够还不确定。`;

const summarise = (text: string) => summariseMinutes(readMinutes(text));

describe('summariseMinutes', () => {
  it('finds decisions, actions with owner and date, and what is open, in English', () => {
    const { decisions, actions, openQuestions, participants, keyPoints } = summarise(ENGLISH);
    expect(participants).toEqual(['Ada Wong', 'Bo Berg', 'Chen', 'Ada', 'Bo']);
    expect(decisions).toEqual(['We agreed to cache the answers of the tax service for one day.']);
    expect(actions).toEqual([
      { task: "I'll add the cache by Friday.", owner: 'Bo', due: 'Friday' },
      { task: 'Chen will write to the tax provider before next week.', owner: 'Chen', due: 'next week' },
      { task: 'update the status page', owner: null, due: null },
    ]);
    expect(openQuestions).toEqual(['Do we tell customers about it?', 'Is the contract with the provider still running?']);
    expect(keyPoints[0]).toContain('checkout page is slow');
    expect(keyPoints.join(' ')).not.toContain('raining');
  });

  it('finds them in Chinese', () => {
    const { decisions, actions, openQuestions, participants, keyPoints } = summarise(CHINESE);
    expect(participants).toEqual(['王芳', '李强', '赵敏']);
    expect(decisions).toEqual(['我们决定把首页上线推迟到12月10日。']);
    expect(actions).toEqual([
      { task: '我来优化搜索功能，下周五之前完成。', owner: '李强', due: '下周五之前' },
      { task: '请赵敏整理用户反馈，本周内发给大家。', owner: '赵敏', due: '本周内' },
    ]);
    expect(openQuestions).toEqual(['预算够不够还不确定。']);
    expect(keyPoints.join('')).toContain('首页');
  });

  it.each(['We have not decided on the date.', 'The date is undecided.', '日期还没确定。'])('takes no decision from: %s', (text) => {
    expect(summarise(`Ada: ${text}`).decisions).toEqual([]);
  });

  it('says nothing that the notes do not', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 30 }), (lines) => {
        const text = lines.join('\n');
        const { keyPoints, decisions, actions, openQuestions } = summarise(text);
        for (const said of [...keyPoints, ...decisions, ...openQuestions, ...actions.map(({ task }) => task)])
          expect(text.replaceAll('*', '')).toContain(said.replaceAll('*', ''));
      }),
    );
  });
});

describe('splitSentences', () => {
  it('does not stop at decimals', () => {
    expect(splitSentences('It took 2.3 seconds. Then 4. 好的。我知道了！')).toEqual([
      'It took 2.3 seconds.',
      'Then 4.',
      '好的。',
      '我知道了！',
    ]);
  });
});

const run = (input: string, locale: 'en' | 'zh-CN' = 'en') =>
  benchPipeline({
    pipeline: meetingPipeline,
    input,
    capabilities: meetingSummariser.capabilities.map(({ metadata, create }) => ({ metadata, handler: create({} as never) })),
    permissions: new Set(['capability:invoke']),
    locale,
    timeZone: 'UTC',
    now: new Date('2026-11-30T00:00:00Z'),
  });

describe('the pipeline', () => {
  it('summarises what is pasted, without the words that ask for it', async () => {
    const { answer, called } = await run(`Summarise this meeting:\n${ENGLISH}`);
    expect(called).toEqual(['meeting.summarise']);
    expect(answer).toContain('**Decisions**');
    expect(answer).toContain('| Chen will write to the tax provider before next week. | Chen | next week |');
    expect((await run(`请总结这份会议记录：\n${CHINESE}`, 'zh-CN')).answer).toContain('**行动项**');
  });

  it('says what to paste when there is nothing to summarise', async () => {
    const { answer, stages } = await run('Summarise my meeting');
    expect(answer).toContain('Paste the notes');
    expect(stages[0]?.report.intent).toBe('clarify');
  });
});
