import { tokenize } from '#lib/capabilities/index.ts';
import type { Minutes, Utterance } from './read-minutes.ts';

export interface ActionItem {
  readonly task: string;
  /** As it was said; null when nobody was named. */
  readonly owner: string | null;
  readonly due: string | null;
}

/** All of it in the words of the notes: sentences are chosen, not written. */
export interface MinutesSummary {
  readonly keyPoints: readonly string[];
  readonly decisions: readonly string[];
  readonly actions: readonly ActionItem[];
  readonly openQuestions: readonly string[];
  readonly participants: readonly string[];
}

const DECISION =
  /(?<!\p{L})(?:decided|agreed(?: on| to| that)?|decision|we(?:'ll| will| are going to) (?:go with|use|keep|drop|move|ship|postpone)|approved?|resolved|settled on|conclusion|signed off)(?!\p{L})|决定|决议|一致同意|同意|通过了|确定(?:为|了|下来)?|敲定|定为|达成一致|定下来|批准/iu;
const NO_DECISION =
  /(?<!\p{L})(?:not (?:yet )?(?:decided|agreed)|undecided|haven't decided|to be decided|can't agree|disagree[ds]?)(?!\p{L})|还?没(?:有)?(?:决定|确定|定)|不(?:能)?确定|未定|尚未|不同意|有待(?:决定|确定)/iu;
const ACTION_MARK = /^(?:action(?: item)?|todo|to do|next steps?|follow-?up|行动项|待办|下一步)\s*[:：]?\s*/iu;
const PROMISE =
  /(?<!\p{L})(?:i(?:'ll| will| can take| am going to)|let me|will (?:send|write|prepare|check|update|fix|ask|book|call|create|draft|review|set up|share|look|talk|follow|organi[sz]e|schedule|test|investigate|finish|contact|deliver|provide|take|do)|(?:needs?|has|have) to|should (?:send|write|prepare|check|update|fix|ask|book|review|draft)|is going to|please)(?!\p{L})|我(?:来|会|去|负责)|负责|跟进|由.{1,8}(?:完成|处理|准备|联系)|请.{1,12}(?:完成|提交|准备|联系|确认|整理|发|安排)|需要(?:完成|提交|准备|联系|确认)|会(?:准备|完成|提交|联系|发|整理|安排)/iu;
const DUE =
  /(?<!\p{L})(?:by|before|until|due|no later than) (?<en>(?:the )?(?:end of (?:the )?(?:day|week|month|quarter)|next \p{L}+|tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}-\d{2}-\d{2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*))|(?<zh>(?:下?周[一二三四五六日天末]|下周|下个?月|本周内?|本月内?|月底|周末|今天|明天|后天|\d{1,2}月\d{1,2}[日号])(?:之?前|以前|内|下班前)?)/iu;

const KEY_POINT_LIMIT = 5;

/** Chooses what matters from the notes: without a model, and the same each time. */
export function summariseMinutes({ participants, utterances }: Minutes, limit = KEY_POINT_LIMIT): MinutesSummary {
  const decisions = utterances.filter(({ text }) => DECISION.test(text) && !NO_DECISION.test(text) && !isQuestion(text));
  const actions = utterances.flatMap((utterance) => {
    const action = readAction(utterance, participants);
    return action ? [{ utterance, action }] : [];
  });
  const questions = utterances.filter(({ text, speaker }, index) => isOpenQuestion(text, speaker, utterances[index + 1]));
  const taken = new Set<Utterance>([...decisions, ...actions.map(({ utterance }) => utterance), ...questions]);
  return {
    keyPoints: pickKeyPoints(utterances, taken, limit),
    decisions: unique(decisions.map(({ text }) => text)),
    actions: actions.map(({ action }) => action),
    openQuestions: unique(questions.map(({ text }) => text)),
    participants,
  };
}

function readAction({ speaker, text }: Utterance, participants: readonly string[]): ActionItem | null {
  const isMarked = ACTION_MARK.test(text);
  if (isQuestion(text) || (!isMarked && !PROMISE.test(text))) return null;
  const task = text.replace(ACTION_MARK, '').trim();
  if (task === '') return null;
  const due = DUE.exec(task)?.groups;
  return { task, owner: ownerOf(task, speaker, participants), due: due?.['en'] ?? due?.['zh'] ?? null };
}

/** Who is named before the promise, else who made it. */
function ownerOf(task: string, speaker: string | null, participants: readonly string[]): string | null {
  if (/(?<!\p{L})(?:i'll|i will|i can|i am|let me)(?!\p{L})|我(?:来|会|去|负责)/iu.test(task)) return speaker;
  const named = participants
    .map((name) => ({ name, at: nameAt(task, name) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0]?.name;
  if (named !== undefined) return named;
  const before = /^@?(?<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?) (?:will|to|should|needs to|has to)(?!\p{L})/u.exec(task)?.groups?.[
    'name'
  ];
  const chinese =
    /(?:由|请)(?<name>\p{Script=Han}{2,4}?)(?:负责|完成|处理|准备|联系|提交|确认|整理|安排|跟进|在|于|发)/u.exec(task)?.groups?.['name'] ??
    /^(?<name>\p{Script=Han}{2,4}?)(?:负责|跟进|会)/u.exec(task)?.groups?.['name'];
  if (before && !/^(?:We|They|It|This|That|Everyone|Someone|He|She|You|Who)$/.test(before)) return before;
  return chinese && !/^(?:我们|大家|他们|这个|需要)/.test(chinese) ? chinese : null;
}

function nameAt(text: string, name: string): number {
  const first = name.split(' ')[0] ?? name;
  const escaped = first.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.search(/\p{Script=Han}/u.test(first) ? new RegExp(escaped, 'u') : new RegExp(`(?<!\\p{L})${escaped}(?!\\p{L})`, 'iu'));
}

function isQuestion(text: string): boolean {
  return /[?？]\s*["”]?$/.test(text) || /[吗呢]。?$/.test(text);
}

/** Asked, and not answered by the next to speak; or said to be open. */
function isOpenQuestion(text: string, speaker: string | null, next: Utterance | undefined): boolean {
  if (NO_DECISION.test(text) || /(?<!\p{L})(?:open question|tbd|unclear|still open)(?!\p{L})|待定|待确认|不清楚|还不确定/iu.test(text))
    return true;
  if (!isQuestion(text)) return false;
  return next === undefined || (speaker !== null && next.speaker === speaker) || isQuestion(next.text);
}

/** The sentences that have most of what the meeting was about, in the order in which they were said. */
function pickKeyPoints(utterances: readonly Utterance[], taken: ReadonlySet<Utterance>, limit: number): string[] {
  const tokens = utterances.map(({ text }) => new Set(tokenize(text)));
  const spread = new Map<string, number>();
  for (const set of tokens) for (const token of set) spread.set(token, (spread.get(token) ?? 0) + 1);
  const scored = utterances.map((utterance, index) => {
    const own = [...(tokens[index] ?? [])];
    // What is said again and again is the topic; a sentence of a few words says little, a long one is not better for its length.
    const topic = own.reduce((sum, token) => sum + Math.log(spread.get(token) ?? 1), 0);
    return { utterance, index, score: own.length < 4 ? 0 : topic / Math.sqrt(own.length) };
  });
  const free = scored.filter(({ utterance, score }) => !taken.has(utterance) && score > 0 && !isQuestion(utterance.text));
  const chosen: typeof free = [];
  for (const candidate of free.sort((a, b) => b.score - a.score || a.index - b.index)) {
    if (chosen.length >= limit) break;
    if (!chosen.some(({ index }) => overlap(tokens[index], tokens[candidate.index]) > 0.6)) chosen.push(candidate);
  }
  return chosen.sort((a, b) => a.index - b.index).map(({ utterance }) => utterance.text);
}

function overlap(a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()): number {
  const shared = [...a].filter((token) => b.has(token)).length;
  return shared / Math.max(1, Math.min(a.size, b.size));
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
