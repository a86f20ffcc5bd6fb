import type { JsonObject } from '#lib/kernel/index.ts';
import { callFigures, documentFigures, memberFigures, runFigures, usageFigures } from '../../domain/tenant-figures.ts';

type Locale = 'en' | 'zh-CN';

/** A section of the report. `refusal`: why the person does not get it. */
export interface Section {
  readonly key: SectionKey;
  readonly now: JsonObject | null;
  /** The same figures of the stretch before. */
  readonly before: JsonObject | null;
  readonly refusal: string | null;
}

export type SectionKey = 'runs' | 'calls' | 'usage' | 'documents' | 'members';

/** A section as Markdown, its heading included. Figures that could not be read are named, not left out. */
export function wordSection({ key, now, before, refusal }: Section, locale: Locale): string {
  const words = WORDS[locale];
  const body = now === null ? `⚠ ${refusal ?? ''}` : BODIES[key](now, before, locale);
  return [`## ${words.titles[key]}`, '', body].join('\n');
}

/** The report's first lines: what stands out. */
export function wordHighlights(sections: readonly Section[], locale: Locale): string[] {
  const of = (key: SectionKey) => sections.find((section) => section.key === key)?.now ?? null;
  const lines: string[] = [];
  const runs = of('runs');
  if (runs) {
    const { total, byState } = runFigures.parse(runs);
    const failed = (byState['FINISH_ERROR'] ?? 0) + (byState['TIMEOUT'] ?? 0);
    const beforeTotal = runsBefore(sections);
    lines.push(
      locale === 'en'
        ? `${total} runs${changeText(total, beforeTotal, locale)}, ${failed} of them failed.`
        : `${total} 次运行${changeText(total, beforeTotal, locale)}，其中 ${failed} 次失败。`,
    );
  }
  const calls = of('calls');
  const worst = calls ? [...callFigures.parse(calls).byCapability].sort((a, b) => b.failed - a.failed)[0] : undefined;
  if (worst && worst.failed > 0)
    lines.push(
      locale === 'en'
        ? `${plain(worst.name)} failed most: ${worst.failed} of ${worst.total} calls.`
        : `${plain(worst.name)} 失败最多：${worst.total} 次调用中 ${worst.failed} 次。`,
    );
  const documents = of('documents');
  if (documents) {
    const { added, changed } = documentFigures.parse(documents);
    if (added + changed > 0)
      lines.push(locale === 'en' ? `${added} documents added, ${changed} changed.` : `新增 ${added} 篇文档，改动 ${changed} 篇。`);
  }
  return lines;
}

function runsBefore(sections: readonly Section[]): number | null {
  const before = sections.find(({ key }) => key === 'runs')?.before ?? null;
  return before && runFigures.parse(before).total;
}

const BODIES: { readonly [K in SectionKey]: (now: JsonObject, before: JsonObject | null, locale: Locale) => string } = {
  runs(now, before, locale) {
    const figures = runFigures.parse(now);
    const earlier = before && runFigures.parse(before);
    const words = WORDS[locale];
    const states = [...new Set([...Object.keys(figures.byState), ...Object.keys(earlier?.byState ?? {})])].sort();
    const rows = states.map((state) => [words.states[state] ?? state, figures.byState[state] ?? 0, earlier?.byState[state] ?? 0]);
    const people = figures.byPerson.slice(0, 5).map(({ name, total, failed }) => [plain(name), total, failed]);
    return [
      table([words.outcome, words.now, words.before], [...rows, [words.total, figures.total, earlier?.total ?? 0]]),
      people.length > 1 ? table([words.person, words.runs, words.failed], people) : '',
      figures.averageMs === null ? '' : `${words.average}${(figures.averageMs / 1000).toFixed(1)} s`,
      now['scope'] === 'own' ? words.ownOnly : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  },
  calls(now, _before, locale) {
    const { byCapability, byError } = callFigures.parse(now);
    const words = WORDS[locale];
    if (byCapability.length === 0) return words.none;
    return [
      table(
        [words.capability, words.calls, words.failed, words.averageMs],
        byCapability.slice(0, 10).map(({ name, total, failed, averageMs }) => [plain(name), total, failed, averageMs ?? '—']),
      ),
      byError.length === 0 ? '' : `${words.errors}${byError.map(({ code, total }) => `${plain(code)} ${total}`).join(words.comma)}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  },
  usage(now, before, locale) {
    const { calls, totalTokens, costs, unpriced, byModel } = usageFigures.parse(now);
    const words = WORDS[locale];
    if (calls === 0) return words.noModel;
    const earlier = before && usageFigures.parse(before);
    const cost = costs.map(({ currency, micros }) => `${(micros / 1_000_000).toFixed(4)} ${currency}`).join(' + ') || '—';
    return [
      `${words.modelCalls}${calls}${words.comma}${words.tokens}${totalTokens}${changeText(totalTokens, earlier?.totalTokens ?? null, locale)}${words.comma}${words.cost}${cost}${unpriced > 0 ? ` ${words.unpriced}` : ''}`,
      table(
        [words.model, words.calls, words.tokensHead],
        byModel.map(({ model, calls: count, totalTokens: tokens }) => [plain(model), count, tokens]),
      ),
    ].join('\n\n');
  },
  documents(now, _before, locale) {
    const { total, added, changed, latest } = documentFigures.parse(now);
    const words = WORDS[locale];
    const head = `${words.documents}${total}${words.comma}${words.added}${added}${words.comma}${words.changed}${changed}`;
    const list = latest.slice(0, 5).map(({ title, createdAt }) => `- ${plain(title)} (${createdAt.slice(0, 10)})`);
    return list.length === 0 ? head : [head, '', ...list].join('\n');
  },
  members(now, _before, locale) {
    const { total, joined, byRole } = memberFigures.parse(now);
    const words = WORDS[locale];
    return [
      `${words.members}${total}${words.comma}${words.joined}${joined}`,
      table(
        [words.role, words.membersHead],
        byRole.map(({ name, total: count }) => [plain(name), count]),
      ),
    ].join('\n\n');
  },
};

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [line(head), line(head.map((_cell, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

function line(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

function changeText(value: number, before: number | null, locale: Locale): string {
  if (before === null || before === 0) return '';
  const percent = Math.round(((value - before) / before) * 100);
  const shown = `${percent > 0 ? '+' : ''}${percent}%`;
  return locale === 'en' ? ` (${shown})` : `（${shown}）`;
}

/** Names and titles are data: nothing in them is formatting. */
function plain(text: string): string {
  return text.replace(/[\\`*_~[\]<>#]/g, '\\$&').replace(/\s+/g, ' ');
}

const WORDS = {
  en: {
    titles: { runs: 'Runs', calls: 'Capabilities', usage: 'Models', documents: 'Documents', members: 'Members' },
    states: {
      QUEUED: 'Queued',
      RUNNING: 'Running',
      WAITING: 'Waiting',
      FINISH_OK: 'Succeeded',
      FINISH_ERROR: 'Failed',
      TIMEOUT: 'Timed out',
      CANCELLED: 'Cancelled',
    } as { readonly [state: string]: string },
    outcome: 'Outcome',
    now: 'Now',
    before: 'Before',
    total: 'All',
    person: 'Person',
    runs: 'Runs',
    failed: 'Failed',
    average: 'On average a run took ',
    ownOnly: '_Your own runs only: your role does not see those of others._',
    capability: 'Capability',
    calls: 'Calls',
    averageMs: 'Average ms',
    errors: 'Failures: ',
    none: 'No calls.',
    noModel: 'No model was called.',
    modelCalls: 'Calls: ',
    tokens: 'tokens: ',
    tokensHead: 'Tokens',
    cost: 'cost: ',
    unpriced: '(some calls have no price)',
    model: 'Model',
    documents: 'Documents: ',
    added: 'added: ',
    changed: 'changed: ',
    members: 'Members: ',
    membersHead: 'Members',
    joined: 'joined: ',
    role: 'Role',
    comma: ', ',
  },
  'zh-CN': {
    titles: { runs: '运行', calls: '能力', usage: '模型', documents: '文档', members: '成员' },
    states: {
      QUEUED: '排队',
      RUNNING: '进行中',
      WAITING: '等待',
      FINISH_OK: '成功',
      FINISH_ERROR: '失败',
      TIMEOUT: '超时',
      CANCELLED: '已取消',
    } as { readonly [state: string]: string },
    outcome: '结果',
    now: '本期',
    before: '上期',
    total: '合计',
    person: '人员',
    runs: '运行',
    failed: '失败',
    average: '平均每次运行 ',
    ownOnly: '_仅统计你自己的运行：你的角色看不到他人的运行。_',
    capability: '能力',
    calls: '调用',
    averageMs: '平均毫秒',
    errors: '失败原因：',
    none: '没有调用。',
    noModel: '没有调用模型。',
    modelCalls: '调用：',
    tokens: '词元：',
    tokensHead: '词元',
    cost: '费用：',
    unpriced: '（部分调用未定价）',
    model: '模型',
    documents: '文档：',
    added: '新增：',
    changed: '改动：',
    members: '成员：',
    membersHead: '人数',
    joined: '新加入：',
    role: '角色',
    comma: '，',
  },
};
