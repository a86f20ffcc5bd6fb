import { explainMatches } from '#lib/capabilities/index.ts';
import type { JsonObject } from '#lib/kernel/index.ts';
import type { ClauseFit } from './clause-fit.ts';
import type { IntentAnalysis } from './plan.ts';

type Locale = 'en' | 'zh-CN';

/** Why a capability was weighed as it was, in words. */
export function reasonsOf(fit: ClauseFit, locale: Locale): string[] {
  const subjects = fit.subject.words.slice(0, 3).join(locale === 'en' ? ', ' : '、');
  return [
    ...explainMatches(fit.matches, locale),
    ...(subjects === '' ? [] : [locale === 'en' ? `the documents have ${subjects}` : `资料中有：${subjects}`]),
    ...(Object.keys(fit.extraction.arguments).length === 0 ? [] : [describeArguments(fit.extraction.arguments, locale)]),
  ];
}

function describeArguments(args: JsonObject, locale: Locale): string {
  const shown = Object.entries(args).map(
    ([name, value]) => `${name} = ${shorten(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return shown.join(locale === 'en' ? ', ' : '，');
}

/** `Current time: keyword "what time", zone = Asia/Tokyo` */
export function stepRationale(fit: ClauseFit, args: JsonObject, locale: Locale): string {
  const reasons = reasonsOf({ ...fit, extraction: { ...fit.extraction, arguments: args } }, locale);
  const title = fit.capability.title[locale];
  return locale === 'en' ? `${title}: ${reasons.join(', ')}` : `${title}：${reasons.join('，')}`;
}

/** The intent's rationale in one sentence. */
export function intentRationale(
  kind: IntentAnalysis['kind'],
  facts: { titles: readonly string[]; missing: readonly string[]; unanswered: readonly string[]; nearest: string | null },
  locale: Locale,
): string {
  const list = (items: readonly string[]) => items.map(shorten).join(locale === 'en' ? ', ' : '、');
  const rest =
    facts.unanswered.length === 0
      ? ''
      : locale === 'en'
        ? `; nothing here answers “${list(facts.unanswered)}”`
        : `；没有能回答“${list(facts.unanswered)}”的能力`;
  const sentences: Readonly<Record<IntentAnalysis['kind'], readonly [string, string]>> = {
    task: [`answered by ${list(facts.titles)}`, `由${list(facts.titles)}回答`],
    clarify: [`still needed: ${list(facts.missing)}`, `还缺：${list(facts.missing)}`],
    greeting: ['a greeting or thanks', '问候或致谢'],
    help: ['asks what can be done here', '询问这里能做什么'],
    empty: ['the message is empty', '消息为空'],
    unsupported:
      facts.nearest === null
        ? ['no capability here answers this', '这里没有能回答它的能力']
        : [`no capability here answers this; nearest: ${facts.nearest}`, `这里没有能回答它的能力；最接近的是${facts.nearest}`],
  };
  const [en, chinese] = sentences[kind];
  return `${locale === 'en' ? en : chinese}${kind === 'unsupported' ? '' : rest}`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line;
}
