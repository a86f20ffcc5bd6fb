import { foldText } from '#lib/capabilities/index.ts';
import { definePipeline, type Pipeline } from '#lib/graph/index.ts';
import { namePeriod, type Period, periodOf, precedingPeriod, todayIn, weekOf } from '../figures/period.ts';
import { readPeriods } from '../figures/read-periods.ts';
import { type Section, type SectionKey, wordHighlights, wordSection } from './sections.ts';

interface ReportState {
  readonly input: string;
  readonly period: Period | null;
  readonly before: Period | null;
  readonly wanted: readonly SectionKey[];
  readonly sections: readonly Section[];
}

const ALL: readonly SectionKey[] = ['runs', 'calls', 'usage', 'documents', 'members'];

/** What in a request keeps the report to some sections. */
const SECTION_WORDS: { readonly [K in SectionKey]: RegExp } = {
  runs: /(?<!\p{L})runs?(?!\p{L})|运行/u,
  calls: /(?<!\p{L})(?:capabilit(?:y|ies)|tools?|calls?)(?!\p{L})|能力|工具|调用/u,
  usage: /(?<!\p{L})(?:models?|tokens?|costs?|usage)(?!\p{L})|模型|词元|费用|用量/u,
  documents: /(?<!\p{L})(?:documents?|knowledge)(?!\p{L})|文档|知识/u,
  members: /(?<!\p{L})(?:members?|people)(?!\p{L})|成员|人员/u,
};

/** Scope -> Gather -> Write: a report on what happened in the workspace, as far as the person may see it. */
export const reportPipeline: Pipeline = definePipeline<ReportState>({
  name: 'activity_report',
  channels: { input: 'replace', period: 'replace', before: 'replace', wanted: 'replace', sections: 'replace' },
  begin: (input) => ({ input, period: null, before: null, wanted: [], sections: [] }),
  stages: [
    {
      id: 'scope',
      title: { en: 'Scope', 'zh-CN': '范围' },
      async run({ input }, { timeZone, now, locale }) {
        const folded = foldText(input.slice(0, 600));
        const today = todayIn(timeZone, now);
        const said = readPeriods(folded, today)[0]?.period;
        const period = said ?? periodOf('this-week', ...weekOf(today), today);
        const named = ALL.filter((key) => SECTION_WORDS[key].test(folded));
        const wanted = named.length > 0 ? named : ALL;
        return {
          state: { period, before: precedingPeriod(period, today), wanted },
          report: {
            summary: namePeriod(period, locale),
            intent: 'task',
            confidence: said ? 0.95 : 0.7,
            reasons: [...(said ? [] : [locale === 'en' ? 'no period was named: this week' : '未指定时间：本周']), ...wanted],
          },
        };
      },
    },
    {
      id: 'gather',
      title: { en: 'Gather', 'zh-CN': '收集' },
      async run({ period, before, wanted }, { call, locale }) {
        const read = async (key: SectionKey, of: Period | null) =>
          call({
            capabilityId: `report.${key}`,
            arguments: { ...(of?.from && { from: of.from }), ...(of?.to && { to: of.to }) },
            rationale: `figures of ${key}`,
          });
        const sections = await Promise.all(
          wanted.map(async (key): Promise<Section> => {
            const [now, earlier] = await Promise.all([read(key, period), before ? read(key, before) : null]);
            return {
              key,
              now: now.status === 'succeeded' ? now.output : null,
              before: earlier?.status === 'succeeded' ? earlier.output : null,
              refusal: now.status === 'succeeded' ? null : now.message,
            };
          }),
        );
        const refused = sections.filter(({ refusal }) => refusal !== null);
        return {
          state: { sections },
          report: {
            summary:
              locale === 'en'
                ? `${sections.length - refused.length} of ${sections.length} sections`
                : `${sections.length} 节中的 ${sections.length - refused.length} 节`,
            confidence: sections.length === 0 ? 0 : (sections.length - refused.length) / sections.length,
            reasons: refused.map(({ refusal }) => refusal ?? ''),
          },
        };
      },
    },
    {
      id: 'write',
      title: { en: 'Write', 'zh-CN': '撰写' },
      async run({ period, before, sections }, { call, locale }) {
        const title = locale === 'en' ? '# Activity report' : '# 活动报告';
        const when = period ? namePeriod(period, locale) : '';
        const compared = before
          ? locale === 'en'
            ? `Compared with ${namePeriod(before, locale)}.`
            : `与${namePeriod(before, locale)}比较。`
          : '';
        const highlights = wordHighlights(sections, locale).map((line) => `- ${line}`);
        const text = [
          title,
          '',
          `${when} ${compared}`.trim(),
          ...(highlights.length > 0 ? ['', ...highlights] : []),
          ...sections.flatMap((section) => ['', wordSection(section, locale)]),
        ].join('\n');
        await call({ capabilityId: 'echo', arguments: { text }, rationale: 'says the report', isAnswer: true });
        return {
          state: {},
          report: { summary: locale === 'en' ? `${sections.length} sections written` : `写了 ${sections.length} 节`, reasons: [] },
        };
      },
    },
  ],
});
