import { namePeriod } from '../figures/period.ts';
import type { Finding, Part, Unit } from './analyse.ts';
import { isOfPeriod } from './needed-readings.ts';
import type { Ask, Filter, Grouping, Question, Subject } from './question.ts';

type Locale = 'en' | 'zh-CN';

/** How many parts of a ranking are told; the rest is counted. */
const PART_LIMIT = 5;

/** The findings as an answer, in Markdown (the Executor stage). */
export function wordFindings(findings: readonly Finding[], locale: Locale): string {
  return findings.map((finding) => wordFinding(finding, locale)).join('\n\n');
}

/** What can be asked, with an example for each topic that the person may see. */
export function wordGuidance(kind: Exclude<Question['kind'], 'task'>, subjects: readonly Subject[], locale: Locale): string {
  const opening = OPENINGS[kind][locale];
  if (subjects.length === 0) return `${opening}\n\n${NOTHING_VISIBLE[locale]}`;
  return `${opening}\n\n${subjects.map((subject) => `- ${TOPICS[subject][locale]}`).join('\n')}`;
}

function wordFinding(finding: Finding, locale: Locale): string {
  if (finding.status === 'refused') return wordRefusal(finding, locale);
  const notes = finding.notes.map((note) => NOTES[note][locale]);
  const own = finding.isOwnOnly && !finding.ask.isMine && isPersonal(finding.ask.subject) ? [OWN_ONLY[locale]] : [];
  return [wordValue(finding, locale), ...notes, ...own].join(locale === 'en' ? ' ' : '');
}

function wordValue(finding: Finding, locale: Locale): string {
  const { ask, status } = finding;
  const when = whenOf(ask, locale);
  if (status === 'nothing') return wordNothing(when, nounOf(finding, 2, locale), locale);
  if (status === 'parts') return wordParts(finding, when, locale);
  const value = finding.value ?? 0;
  const shown = `**${quantity(value, finding, locale)}**`;
  const sentence = locale === 'en' ? `${capitalised(when)}: ${shown}.` : `${when}：${shown}。`;
  const comparison = wordComparison(finding, locale);
  return comparison === '' ? sentence : `${sentence}${locale === 'en' ? ' ' : ''}${comparison}`;
}

function wordParts(finding: Finding, when: string, locale: Locale): string {
  const { ask, parts } = finding;
  const shown = ask.measure === 'parts' ? parts.slice(0, 31) : parts.slice(0, PART_LIMIT);
  const [first] = parts;
  const rest = parts.length - shown.length;
  const lines = shown.map(
    (part, index) =>
      `${ask.measure === 'top' ? `${index + 1}.` : '-'} ${partName(part, ask, locale)}${locale === 'en' ? ': ' : '：'}${partValue(part, finding, locale)}`,
  );
  const more = rest > 0 ? [locale === 'en' ? `… and ${rest} more.` : `……另有 ${rest} 项。`] : [];
  const heading = PART_NAMES[ask.by ?? 'state'][locale];
  if (ask.measure === 'latest') return [locale === 'en' ? 'The newest documents:' : '最新的文档：', '', ...lines, ...more].join('\n');
  if (ask.measure !== 'top' || !first)
    return [locale === 'en' ? `${capitalised(when)}, ${heading}:` : `${when}，${heading}：`, '', ...lines, ...more].join('\n');
  const superlative =
    ask.metric === 'duration' ? (ask.order === 'most' ? SLOWEST : FASTEST)[locale] : (ask.order === 'most' ? MOST : LEAST)[locale];
  const head =
    locale === 'en'
      ? `${capitalised(when)}, ${superlative} ${nounOf({ ...finding, unit: ask.metric === 'duration' ? 'calls' : finding.unit }, 2, locale)}: **${partName(first, ask, locale)}** (${partValue(first, finding, locale)}).`
      : `${when}，${nounOf({ ...finding, unit: ask.metric === 'duration' ? 'calls' : finding.unit }, 2, locale)}${superlative}的是 **${partName(first, ask, locale)}**（${partValue(first, finding, locale)}）。`;
  return shown.length === 1 ? head : [head, '', ...lines, ...more].join('\n');
}

function partName(part: Part, ask: Ask, locale: Locale): string {
  const name = part.name === '' ? (locale === 'en' ? '(none)' : '（无）') : part.name;
  return ask.by === 'state' ? (STATE_NAMES[name]?.[locale] ?? name) : name.replace(/[\\`*_~[\]<>|#]/g, '\\$&');
}

function partValue(part: Part, finding: Finding, locale: Locale): string {
  if (finding.ask.measure === 'latest')
    return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'zh-CN', { dateStyle: 'medium' }).format(part.value);
  const value = quantity(part.value, finding, locale);
  if (part.of === undefined) return value;
  return locale === 'en' ? `${value} of ${number(part.of, locale)}` : `${number(part.of, locale)} 次中 ${value}`;
}

function wordComparison({ ask, unit, value, before, changePercent, currency }: Finding, locale: Locale): string {
  if (before === null || value === null || !ask.comparedWith) return '';
  const when = namePeriod(ask.comparedWith, locale);
  const earlier = amount(before, unit, currency, locale);
  const difference = Math.round((value - before) * 1000) / 1000;
  if (difference === 0) return locale === 'en' ? `The same as ${when}.` : `与${when}相同。`;
  const by =
    changePercent === null || unit === 'percent'
      ? ''
      : locale === 'en'
        ? ` (${signed(changePercent, locale)}%)`
        : `（${signed(changePercent, locale)}%）`;
  const size = Math.abs(difference);
  const change = unit === 'percent' ? `${number(size, locale)}${POINTS[locale]}` : amount(size, unit, currency, locale);
  const isCounted = unit !== 'percent' && unit !== 'ms' && unit !== 'money';
  if (locale === 'en') return `That is ${change} ${difference > 0 ? 'more' : isCounted ? 'fewer' : 'less'} than ${when}: ${earlier}${by}.`;
  return `${when}为 ${earlier}，${difference > 0 ? '增加' : '减少'} ${change}${by}。`;
}

function wordRefusal({ ask, refusal }: Finding, locale: Locale): string {
  const topic = SUBJECT_NAMES[ask.subject][locale];
  const cause = refusal?.message ?? '';
  if (refusal?.code === 'permission_denied')
    return locale === 'en'
      ? `⚠ You may not see ${topic} here (${cause}). An admin can grant it.`
      : `⚠ 你无权查看${topic}（${cause}）。可以请管理员授予。`;
  return locale === 'en' ? `⚠ The figures of ${topic} could not be read: ${cause}` : `⚠ 无法读取${topic}的数据：${cause}`;
}

/** Members, documents and capabilities stand as they are now, unless those of a period are asked for. */
function whenOf(ask: Ask, locale: Locale): string {
  const isStanding =
    ask.subject === 'capabilities' ||
    ((ask.subject === 'members' || ask.subject === 'documents') && !isOfPeriod(ask)) ||
    ask.filter === 'running' ||
    ask.filter === 'waiting';
  if (isStanding) return locale === 'en' ? 'now' : '现在';
  return namePeriod(ask.period, locale);
}

function quantity(value: number, finding: Finding, locale: Locale): string {
  const shown = amount(value, finding.unit, finding.currency, locale);
  if (finding.unit === 'money' || finding.unit === 'ms') return shown;
  if (finding.unit === 'percent')
    return locale === 'en'
      ? `${shown} ${RATE_NAMES[finding.ask.filter ?? 'succeeded']?.en ?? ''}`.trim()
      : `${RATE_NAMES[finding.ask.filter ?? 'succeeded']?.['zh-CN'] ?? ''}${shown}`;
  return locale === 'en'
    ? `${shown} ${nounOf(finding, value, locale)}`
    : `${shown} ${COUNTERS[finding.unit]}${nounOf(finding, value, locale)}`;
}

function amount(value: number, unit: Unit, currency: string | undefined, locale: Locale): string {
  if (unit === 'money')
    return new Intl.NumberFormat(locale, { style: 'currency', currency: currency ?? 'USD', maximumFractionDigits: 4 }).format(value);
  if (unit === 'percent') return `${number(value, locale)}%`;
  if (unit === 'ms')
    return value < 1000
      ? locale === 'en'
        ? `${number(value, locale)} ms`
        : `${number(value, locale)} 毫秒`
      : locale === 'en'
        ? `${number(Math.round(value / 100) / 10, locale)} s`
        : `${number(Math.round(value / 100) / 10, locale)} 秒`;
  return number(value, locale);
}

function number(value: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value);
}

function signed(value: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'always' }).format(value);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isPersonal(subject: Subject): boolean {
  return subject === 'runs' || subject === 'calls' || subject === 'usage';
}

function nounOf({ ask, unit }: Pick<Finding, 'ask' | 'unit'>, count: number, locale: Locale): string {
  const isFiltered = unit === 'runs' || unit === 'calls' || unit === 'documents' || unit === 'members';
  const filter = isFiltered && ask.filter ? (FILTER_NAMES[ask.filter]?.[locale] ?? '') : '';
  const role = ask.role ? ROLE_NAMES[ask.role]?.[locale] : undefined;
  if (locale === 'zh-CN') return role ?? `${filter}${UNIT_NAMES[unit]['zh-CN']}`;
  const [singular, plural] = UNIT_NAMES[unit].en;
  const noun = count === 1 ? singular : plural;
  if (role && unit === 'members') return count === 1 ? role : `${role}s`;
  return filter === '' ? noun : `${filter} ${noun}`;
}

function wordNothing(when: string, noun: string, locale: Locale): string {
  return locale === 'en' ? `${capitalised(when)}: no ${noun}, so there is nothing to count.` : `${when}：没有${noun}，无从统计。`;
}

const UNIT_NAMES: { readonly [U in Unit]: { readonly en: readonly [string, string]; readonly 'zh-CN': string } } = {
  runs: { en: ['run', 'runs'], 'zh-CN': '运行' },
  calls: { en: ['call', 'calls'], 'zh-CN': '调用' },
  people: { en: ['person asked something', 'people asked something'], 'zh-CN': '提过问的人' },
  members: { en: ['member', 'members'], 'zh-CN': '成员' },
  documents: { en: ['document', 'documents'], 'zh-CN': '文档' },
  capabilities: { en: ['capability', 'capabilities'], 'zh-CN': '能力' },
  tokens: { en: ['token', 'tokens'], 'zh-CN': '词元' },
  'model-calls': { en: ['model call', 'model calls'], 'zh-CN': '模型调用' },
  percent: { en: ['run that ended', 'runs that ended'], 'zh-CN': '已结束的运行' },
  ms: { en: ['run that ended', 'runs that ended'], 'zh-CN': '已结束的运行' },
  money: { en: ['priced model call', 'priced model calls'], 'zh-CN': '有定价的模型调用' },
};

const COUNTERS: { readonly [U in Unit]: string } = {
  runs: '次',
  calls: '次',
  people: '位',
  members: '位',
  documents: '篇',
  capabilities: '项',
  tokens: '个',
  'model-calls': '次',
  percent: '',
  ms: '',
  money: '',
};

const FILTER_NAMES: { readonly [F in Filter]: { readonly en: string; readonly 'zh-CN': string } } = {
  failed: { en: 'failed', 'zh-CN': '失败的' },
  succeeded: { en: 'successful', 'zh-CN': '成功的' },
  cancelled: { en: 'cancelled', 'zh-CN': '已取消的' },
  'timed-out': { en: 'timed-out', 'zh-CN': '超时的' },
  running: { en: 'current', 'zh-CN': '进行中的' },
  waiting: { en: 'waiting', 'zh-CN': '等待中的' },
  added: { en: 'new', 'zh-CN': '新增的' },
  changed: { en: 'changed', 'zh-CN': '改动过的' },
};

const RATE_NAMES: { readonly [F in Filter]?: { readonly en: string; readonly 'zh-CN': string } } = {
  failed: { en: 'failed', 'zh-CN': '失败率 ' },
  succeeded: { en: 'succeeded', 'zh-CN': '成功率 ' },
  cancelled: { en: 'were cancelled', 'zh-CN': '取消率 ' },
  'timed-out': { en: 'timed out', 'zh-CN': '超时率 ' },
};

const ROLE_NAMES: { readonly [role: string]: { readonly en: string; readonly 'zh-CN': string } } = {
  owner: { en: 'owner', 'zh-CN': '所有者' },
  admin: { en: 'admin', 'zh-CN': '管理员' },
  builder: { en: 'builder', 'zh-CN': '构建者' },
  auditor: { en: 'auditor', 'zh-CN': '审计员' },
};

const STATE_NAMES: { readonly [state: string]: { readonly en: string; readonly 'zh-CN': string } } = {
  QUEUED: { en: 'queued', 'zh-CN': '排队' },
  RUNNING: { en: 'running', 'zh-CN': '进行中' },
  WAITING: { en: 'waiting', 'zh-CN': '等待' },
  FINISH_OK: { en: 'succeeded', 'zh-CN': '成功' },
  FINISH_ERROR: { en: 'failed', 'zh-CN': '失败' },
  TIMEOUT: { en: 'timed out', 'zh-CN': '超时' },
  CANCELLED: { en: 'cancelled', 'zh-CN': '已取消' },
};

const PART_NAMES: { readonly [G in Grouping]: { readonly en: string; readonly 'zh-CN': string } } = {
  capability: { en: 'by capability', 'zh-CN': '按能力' },
  person: { en: 'by person', 'zh-CN': '按人' },
  preset: { en: 'by preset', 'zh-CN': '按预设' },
  day: { en: 'by day', 'zh-CN': '按天' },
  role: { en: 'by role', 'zh-CN': '按角色' },
  language: { en: 'by language', 'zh-CN': '按语言' },
  domain: { en: 'by domain', 'zh-CN': '按领域' },
  model: { en: 'by model', 'zh-CN': '按模型' },
  error: { en: 'failed calls by error', 'zh-CN': '失败调用的原因' },
  state: { en: 'by outcome', 'zh-CN': '按结果' },
};

const MOST = { en: 'most', 'zh-CN': '最多' };
const LEAST = { en: 'fewest', 'zh-CN': '最少' };
const SLOWEST = { en: 'the slowest', 'zh-CN': '最慢' };
const FASTEST = { en: 'the fastest', 'zh-CN': '最快' };

export const SUBJECT_NAMES: { readonly [S in Subject]: { readonly en: string; readonly 'zh-CN': string } } = {
  runs: { en: 'runs', 'zh-CN': '运行' },
  calls: { en: 'capability calls', 'zh-CN': '能力调用' },
  members: { en: 'members', 'zh-CN': '成员' },
  documents: { en: 'documents', 'zh-CN': '文档' },
  capabilities: { en: 'capabilities', 'zh-CN': '能力' },
  usage: { en: 'model usage', 'zh-CN': '模型用量' },
};

const POINTS = { en: ' points', 'zh-CN': ' 个百分点' };

const OWN_ONLY = {
  en: '_Your own runs only: your role does not see those of others._',
  'zh-CN': '_仅统计你自己的运行：你的角色看不到他人的运行。_',
};
const NOTHING_VISIBLE = { en: 'Your role may see none of its figures here.', 'zh-CN': '你的角色在这里看不到任何数据。' };

const NOTES = {
  unpriced: { en: 'Calls of models without a price are not in it.', 'zh-CN': '未定价模型的调用不计入。' },
  'other-currencies': { en: 'Costs in other currencies come on top.', 'zh-CN': '其他币种的费用另计。' },
};

const OPENINGS = {
  help: { en: 'I answer questions about what is on record in this workspace:', 'zh-CN': '我可以根据本工作区的记录回答这些问题：' },
  clarify: {
    en: 'I am not sure what to count. Name what you want to know and, if you like, a period. For example:',
    'zh-CN': '我不确定要统计什么。请说明想了解的内容，也可以加上时间范围。例如：',
  },
  unsupported: {
    en: 'I only answer questions about this workspace’s own records, and this does not seem to be one. I can tell you about:',
    'zh-CN': '我只回答与本工作区记录有关的问题，这个问题不在其中。我可以告诉你：',
  },
};

const TOPICS: { readonly [S in Subject]: { readonly en: string; readonly 'zh-CN': string } } = {
  runs: {
    en: 'Runs: “How many runs failed this week?”, “Who asked most last month?”',
    'zh-CN': '运行：“本周失败了多少次运行？”“上个月谁的运行最多？”',
  },
  calls: { en: 'Capability calls: “Which tool failed most in the last 7 days?”', 'zh-CN': '能力调用：“最近 7 天哪个工具失败最多？”' },
  members: { en: 'Members: “How many members are there, by role?”', 'zh-CN': '成员：“各角色有多少成员？”' },
  documents: { en: 'Documents: “How many documents were added this month?”', 'zh-CN': '文档：“本月新增了多少文档？”' },
  capabilities: { en: 'Capabilities: “How many capabilities are there?”', 'zh-CN': '能力：“现在有多少能力？”' },
  usage: {
    en: 'Model usage: “How many tokens did we use yesterday?”, “What did models cost this month?”',
    'zh-CN': '模型用量：“昨天用了多少词元？”“本月模型费用是多少？”',
  },
};
