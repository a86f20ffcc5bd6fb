import type { Locale } from '#lib/i18n/index.ts';
import type { Id } from '#lib/kernel/index.ts';
import { type Notice, type NoticedBudget, noticePath } from './notice.ts';

export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Words {
  readonly approval: (what: string, workspace: string) => string;
  readonly approvalBody: (what: string, whose: string, until: string) => string;
  readonly own: string;
  readonly question: (workspace: string) => string;
  readonly questionBody: string;
  readonly soft: (workspace: string) => string;
  readonly softBody: (who: string) => string;
  readonly refused: (workspace: string) => string;
  readonly refusedBody: (who: string) => string;
  readonly standing: (used: string, limit: string) => string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly tokens: (count: string) => string;
  readonly open: string;
  readonly why: (workspace: string) => string;
}

const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    approval: (what, workspace) => `Waiting for your decision: ${what} (${workspace})`,
    approvalBody: (what, whose, until) => `"${what}" waits for a decision. The run is ${whose}. It can be decided until ${until}.`,
    own: 'your own',
    question: (workspace) => `A question waits for you (${workspace})`,
    questionBody: 'One of your runs has a question and waits for your answer.',
    soft: (workspace) => `A budget has reached its soft limit (${workspace})`,
    softBody: (who) => `The budget for ${who} has reached its soft limit. Answers are concise from here on.`,
    refused: (workspace) => `A budget is used up (${workspace})`,
    refusedBody: (who) => `The budget for ${who} had no room for the next model call, and the call was refused.`,
    standing: (used, limit) => `Used: ${used} of ${limit}.`,
    subjects: { tenant: 'everyone together', user: 'one person', session: 'one chat' },
    tokens: (count) => `${count} tokens`,
    open: 'Open in Bailiwick',
    why: (workspace) => `You get this mail as a member of ${workspace}. Choose what you are told of under Settings, Notifications.`,
  },
  'zh-CN': {
    approval: (what, workspace) => `等待您审批：${what}（${workspace}）`,
    approvalBody: (what, whose, until) => `“${what}”正在等待审批。该运行属于${whose}。请在 ${until} 之前决定。`,
    own: '您本人',
    question: (workspace) => `有一个问题等待您回答（${workspace}）`,
    questionBody: '您的一次运行提出了问题，正在等待您的回答。',
    soft: (workspace) => `预算已达到软上限（${workspace}）`,
    softBody: (who) => `${who}的预算已达到软上限，此后的回答会更简洁。`,
    refused: (workspace) => `预算已用完（${workspace}）`,
    refusedBody: (who) => `${who}的预算不足以进行下一次模型调用，该调用已被拒绝。`,
    standing: (used, limit) => `已用：${used}，共 ${limit}。`,
    subjects: { tenant: '全体成员', user: '单个成员', session: '单个对话' },
    tokens: (count) => `${count} 个 token`,
    open: '在 Bailiwick 中打开',
    why: (workspace) => `您是 ${workspace} 的成员，因此收到这封邮件。可在“设置 › 通知”中选择接收哪些通知。`,
  },
};

interface Recipient {
  readonly userId: Id<'user'>;
  readonly locale: Locale;
  readonly timeZone: string;
}

/** What is said to one person, in their language and time. `what` is the capability's name in that language. */
export function toMailText(notice: Notice, to: Recipient, { publicUrl, what }: { publicUrl: URL; what: string }): MailText {
  const words = WORDS[to.locale];
  const { subject, lines } = sayNotice(notice, { to, words, what });
  const url = new URL(noticePath(notice, to.userId), publicUrl).href;
  const foot = words.why(notice.tenant.name);
  return {
    // One line, whatever the names in it are made of.
    subject: subject.replaceAll(/\s+/g, ' ').trim(),
    text: `${lines.join('\n\n')}\n\n${words.open}: ${url}\n\n-- \n${foot}\n`,
    html: [
      `<!doctype html><html lang="${to.locale}"><body style="font:14px/22px system-ui,sans-serif;color:#1c1e24">`,
      ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
      `<p><a href="${escapeHtml(url)}">${escapeHtml(words.open)}</a></p>`,
      `<p style="color:#5d626d;font-size:12px">${escapeHtml(foot)}</p></body></html>`,
    ].join('\n'),
  };
}

function sayNotice(
  { kind, tenant, person, call, budget }: Notice,
  { to, words, what }: { to: Recipient; words: Words; what: string },
): { subject: string; lines: string[] } {
  if (kind === 'approval.requested') {
    const whose = person.userId === to.userId ? words.own : person.name;
    const until = call ? sayTime(call.expiresAt, to) : '';
    return { subject: words.approval(what, tenant.name), lines: [words.approvalBody(what, whose, until)] };
  }
  if (kind === 'budget.soft-limit' || kind === 'budget.refused') {
    const who = budget ? (words.subjects[budget.subject] ?? budget.subject) : '';
    const isSoft = kind === 'budget.soft-limit';
    const standing = budget ? sayStanding(budget, words, to.locale) : null;
    return {
      subject: isSoft ? words.soft(tenant.name) : words.refused(tenant.name),
      lines: [isSoft ? words.softBody(who) : words.refusedBody(who), ...(standing === null ? [] : [standing])],
    };
  }
  return { subject: words.question(tenant.name), lines: [words.questionBody] };
}

function sayStanding(budget: NoticedBudget, words: Words, locale: Locale): string | null {
  const limit = budget.hardLimit ?? budget.softLimit;
  if (budget.used === null || limit === null) return null;
  return words.standing(sayAmount(budget.used, budget, words, locale), sayAmount(limit, budget, words, locale));
}

function sayAmount(amount: number, { measure, currency }: NoticedBudget, words: Words, locale: Locale): string {
  if (measure !== 'money' || currency === null) return words.tokens(new Intl.NumberFormat(locale).format(amount));
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 1_000_000);
}

function sayTime(at: Date, { locale, timeZone }: Recipient): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone }).format(at);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
