import { describe, expect, it } from 'vitest';
import { BUILT_IN_METADATA } from '#lib/capabilities/index.ts';
import { answerTheRest, answerWithoutSteps } from './answer-without-steps.ts';
import { planRequest } from './planner.ts';

function plan(message: string) {
  return planRequest({ message, capabilities: BUILT_IN_METADATA, ontologySummary: '', locale: 'en' });
}

describe('answerWithoutSteps', () => {
  it('asks with the question of the schema', () => {
    expect(answerWithoutSteps(plan('translate'), BUILT_IN_METADATA, 'en')).toContain('Nothing here can answer that');
    expect(answerWithoutSteps(plan('calculate'), BUILT_IN_METADATA, 'en')).toBe(
      'What should I calculate? For example: “What is 17% of 2,340?”',
    );
    expect(answerWithoutSteps(plan('calculate'), BUILT_IN_METADATA, 'zh-CN')).toContain('要计算什么？');
  });

  it('lists what can be done when nothing answers', () => {
    const answer = answerWithoutSteps(plan('sing me a song'), BUILT_IN_METADATA, 'en');
    for (const { title } of BUILT_IN_METADATA) expect(answer).toContain(title.en);
  });
});

describe('answerTheRest', () => {
  it('is silent when every part was answered', () => {
    expect(answerTheRest(plan('what time is it?'), BUILT_IN_METADATA, 'en')).toBe('');
  });

  it('says what nothing answers and asks for what is missing', () => {
    expect(answerTheRest(plan('What time is it and who won the world cup?'), BUILT_IN_METADATA, 'en')).toBe(
      'Nothing here can answer “who won the world cup”.',
    );
    expect(answerTheRest(plan('what time is it in Oslo, and please calculate'), BUILT_IN_METADATA, 'en')).toContain(
      'What should I calculate?',
    );
  });
});
