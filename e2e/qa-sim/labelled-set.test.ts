import { beforeAll, describe, expect, it } from 'vitest';
import { judgeAnswers, LABELLED_SET, type Verdict } from './judge-answers.ts';
import { WORKSPACE } from './workspace.ts';

const isChinese = (text: string) => /\p{Script=Han}/u.test(text);
const shareRight = (verdicts: readonly Verdict[]) => verdicts.filter(({ isRight }) => isRight).length / verdicts.length;

let verdicts: readonly Verdict[];
let ofFewer: readonly Verdict[];
beforeAll(async () => {
  verdicts = await judgeAnswers();
  ofFewer = await judgeAnswers({
    people: WORKSPACE.people.slice(0, 2),
    documents: WORKSPACE.documents.slice(0, 1),
    runs: [],
  });
}, 60_000);

describe('the labelled questions of QA_SIM', () => {
  it('are as many and as mixed as a judgement needs', () => {
    expect(LABELLED_SET.length).toBeGreaterThanOrEqual(90);
    expect(new Set(LABELLED_SET.map(({ text, as }) => `${text} ${as}`)).size).toBe(LABELLED_SET.length);
    const chinese = LABELLED_SET.filter(({ text }) => isChinese(text)).length / LABELLED_SET.length;
    expect(chinese).toBeGreaterThan(0.4);
    expect(chinese).toBeLessThan(0.6);
    expect(LABELLED_SET.filter(({ kind }) => kind !== 'task').length).toBeGreaterThanOrEqual(10);
  });

  // Seen for the first time, before anything was mended for them, 45 of the 51 of the held-out half were right.
  it('have the expected figures at least 9 times in 10, in each half and each language', () => {
    const wrong = verdicts.filter(({ isRight }) => !isRight);
    console.info(
      `Right answers: ${verdicts.length - wrong.length} of ${verdicts.length}. Wrong: ${wrong.map(({ question }) => question.id).join(', ') || 'none'}`,
    );
    for (const half of ['tuning', 'held-out'])
      expect({ half, share: shareRight(verdicts.filter(({ question }) => question.half === half)) }).toEqual({
        half,
        share: expect.toSatisfy((share: number) => share >= 0.9),
      });
    for (const language of [true, false])
      expect(shareRight(verdicts.filter(({ question }) => isChinese(question.text) === language))).toBeGreaterThanOrEqual(0.9);
  });

  it('are answered from the records: with other records, the answers are others', () => {
    const counted = verdicts.filter(
      ({ figures, question }) =>
        question.as === undefined &&
        question.kind === 'task' &&
        figures.some((figure) => typeof figure === 'number' && figure > 1 && figure !== 12),
    );
    expect(counted.length).toBeGreaterThan(30);
    const same = counted.filter(({ question, answer }) => ofFewer.find((other) => other.question.id === question.id)?.answer === answer);
    expect(same.map(({ question }) => question.text)).toEqual([]);
  });

  it('tell a person who may not see something that they may not, and nothing of it', () => {
    const refused = verdicts.filter(({ figures }) => figures.includes('refused'));
    expect(refused.length).toBeGreaterThanOrEqual(2);
    for (const { answer } of refused) {
      expect(answer).toContain('member:read');
      expect(answer.replace(/qa_sim\.members|member:read/g, '')).not.toMatch(/\d/);
    }
  });

  it('count for a person without run:audit their own runs alone', () => {
    const own = verdicts.filter(({ question }) => question.as === 'Bo');
    expect(own.length).toBeGreaterThanOrEqual(4);
    expect(own.filter(({ isRight }) => !isRight).map(({ question }) => question.text)).toEqual([]);
    const counted = own.filter(({ figures }) => !figures.includes('refused'));
    for (const { answer } of counted) expect(answer).toContain('Your own runs only');
  });
});
