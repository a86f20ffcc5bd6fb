import { definePipeline, type Pipeline } from '#lib/graph/index.ts';
import { todayIn } from '../figures/period.ts';
import { analyse, type Finding, type Reading } from './analyse.ts';
import { CAPABILITY_OF, neededReadings } from './needed-readings.ts';
import type { Question, Subject } from './question.ts';
import { readQuestion } from './read-question.ts';
import { SUBJECT_NAMES, wordFindings, wordGuidance } from './wording.ts';

interface QaState {
  readonly input: string;
  readonly question: Question | null;
  readonly readings: readonly Reading[];
  readonly findings: readonly Finding[];
  readonly answer: string;
}

const SUBJECTS: readonly Subject[] = ['runs', 'calls', 'members', 'documents', 'capabilities', 'usage'];

/**
 * Intent -> Data -> Analyst -> Executor (requirement P-20). The message becomes a small query; its figures are read through
 * capabilities, with the rights of the person who asks; the figures are worked out and compared; the answer is said by echo.
 * A message that is no question about the records goes from Intent to Executor, which says what can be asked.
 */
export const qaSimPipeline: Pipeline = definePipeline<QaState>({
  name: 'qa_sim',
  channels: { input: 'replace', question: 'replace', readings: 'replace', findings: 'replace', answer: 'replace' },
  begin: (input) => ({ input, question: null, readings: [], findings: [], answer: '' }),
  stages: [
    {
      id: 'intent',
      title: { en: 'Intent', 'zh-CN': '意图' },
      async run({ input }, { locale, timeZone, now }) {
        const question = readQuestion(input, todayIn(timeZone, now));
        return {
          state: { question },
          report: { ...INTENT[question.kind](question, locale), intent: question.kind, confidence: question.confidence },
        };
      },
      next: ({ question }) => (question?.kind === 'task' ? 'data' : 'executor'),
    },
    {
      id: 'data',
      title: { en: 'Data', 'zh-CN': '数据' },
      async run({ question }, { call, locale }) {
        const needed = neededReadings(question?.asks ?? []);
        const readings = await Promise.all(
          needed.map(async ({ key, capabilityId, arguments: args, rationale }): Promise<Reading> => {
            const result = await call({ capabilityId, arguments: args, rationale });
            return result.status === 'succeeded'
              ? { key, output: result.output, refusal: null }
              : { key, output: null, refusal: { code: result.code, message: result.message } };
          }),
        );
        const refused = readings.filter(({ output }) => output === null);
        return {
          state: { readings },
          report: {
            summary:
              locale === 'en'
                ? `${readings.length - refused.length} of ${readings.length} sets of figures read`
                : `读取了 ${readings.length} 组数据中的 ${readings.length - refused.length} 组`,
            confidence: readings.length === 0 ? 0 : (readings.length - refused.length) / readings.length,
            reasons: [...needed.map(({ rationale }) => rationale), ...refused.map(({ refusal }) => refusal?.message ?? '')],
          },
        };
      },
    },
    {
      id: 'analyst',
      title: { en: 'Analyst', 'zh-CN': '分析' },
      async run({ question, readings }, { locale }) {
        const findings = analyse(question?.asks ?? [], readings);
        return {
          state: { findings },
          report: { summary: findings.length === 1 ? FOUND_ONE[locale] : FOUND(findings.length, locale), reasons: findings.map(reasonOf) },
        };
      },
    },
    {
      id: 'executor',
      title: { en: 'Executor', 'zh-CN': '执行' },
      async run({ question, findings }, { call, mayCall, locale }) {
        const kind = question?.kind ?? 'unsupported';
        const visible = SUBJECTS.filter((subject) => mayCall(CAPABILITY_OF[subject]));
        const answer = kind === 'task' ? wordFindings(findings, locale) : wordGuidance(kind, visible, locale);
        await call({ capabilityId: 'echo', arguments: { text: answer }, rationale: 'says the answer', isAnswer: true });
        return { state: { answer }, report: { summary: SAID[kind === 'task' ? 'answer' : 'guidance'][locale], reasons: [] } };
      },
    },
  ],
});

type Words = { readonly summary: string; readonly reasons: readonly string[] };
type Locale = 'en' | 'zh-CN';

const INTENT: { readonly [K in Question['kind']]: (question: Question, locale: Locale) => Words } = {
  task: ({ asks, evidence }, locale) => ({
    summary: [...new Set(asks.map(({ subject }) => SUBJECT_NAMES[subject][locale]))].join(locale === 'en' ? ', ' : '、'),
    reasons: evidence,
  }),
  help: ({ evidence }, locale) => ({ summary: locale === 'en' ? 'what can be asked here' : '这里可以问什么', reasons: evidence }),
  clarify: ({ evidence }, locale) => ({ summary: locale === 'en' ? 'not clear what to count' : '不清楚要统计什么', reasons: evidence }),
  unsupported: (_question, locale) => ({
    summary: locale === 'en' ? 'not about this workspace’s records' : '与本工作区的记录无关',
    reasons: [],
  }),
};

const FOUND_ONE: { readonly [L in Locale]: string } = { en: 'one finding', 'zh-CN': '得出一项结论' };
const FOUND = (count: number, locale: Locale) => (locale === 'en' ? `${count} findings` : `得出 ${count} 项结论`);
const SAID: { readonly [K in 'answer' | 'guidance']: { readonly [L in Locale]: string } } = {
  answer: { en: 'answered by echo', 'zh-CN': '通过复述给出答案' },
  guidance: { en: 'said what can be asked', 'zh-CN': '说明了可以问什么' },
};

/** One line for the record: what was worked out. */
function reasonOf({ ask, status, value, unit, before, changePercent, parts, refusal }: Finding): string {
  const what = [ask.subject, ask.filter, ask.by && `by ${ask.by}`].filter(Boolean).join(' ');
  if (status === 'refused') return `${what}: ${refusal?.message ?? ''}`;
  if (status === 'nothing') return `${what}: nothing`;
  if (status === 'parts')
    return `${what}: ${parts
      .slice(0, 3)
      .map(({ name, value: part }) => `${name} ${part}`)
      .join(', ')}`;
  return `${what}: ${value} ${unit}${before === null ? '' : ` (before: ${before}${changePercent === null ? '' : `, ${changePercent}%`})`}`;
}
