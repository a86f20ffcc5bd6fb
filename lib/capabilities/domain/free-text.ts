import type { ArgumentHints } from './argument-hints.ts';
import { CLOSING_COURTESIES, ENGLISH_STOP_WORDS, OPENING_COURTESIES, TEXT_CLOSERS, TEXT_OPENERS } from './filler-words.ts';
import { contains, isUnspaced, isWordBoundary, overlaps, type Span } from './folded-text.ts';
import { type Quotation, REQUEST_WINDOW, type RequestFeatures } from './request-features.ts';
import { compileSafePattern } from './safe-pattern.ts';

/** What free text is taken from: a clause, less the words that are the request and less what other arguments took. */
export interface FreeTextContext {
  readonly features: RequestFeatures;
  readonly clause: Span;
  readonly requestSpans: readonly Span[];
  readonly takenSpans: readonly Span[];
}

interface FoundText extends Span {
  readonly value: string;
  /** It was set apart as text: quoted, or after a colon or a marker. */
  readonly isSetApart?: boolean;
}

/** A quotation, else what follows a colon after the request, else the clause without the request around it. Verbatim. */
export function extractText(context: FreeTextContext, hint: ArgumentHints): FoundText | null {
  const { features, clause } = context;
  const quotation = features.quotations.find((entry) => contains(clause, entry) && !isTaken(context, entry));
  if (quotation) return { ...quotedText(features, quotation), isSetApart: true };
  const apart = afterMarker(context, hint.after) ?? afterColon(context);
  if (apart) return { ...apart, isSetApart: true };
  return found(
    context,
    strip(context, context.clause, { openers: TEXT_OPENERS, closers: TEXT_CLOSERS, isRequest: true, onlyBesideRequest: true }),
  );
}

function quotedText({ raw }: RequestFeatures, { start, end, inner }: Quotation): FoundText {
  return { start, end, value: raw.slice(inner.start, inner.end).trim() };
}

/** Where the text after a colon begins, if the clause's request stands before one. */
export function payloadStart(features: RequestFeatures, clause: Span, requestSpans: readonly Span[]): number | null {
  const { folded } = features;
  for (
    let at = folded.indexOf(':', clause.start);
    at !== -1 && at < Math.min(clause.end, REQUEST_WINDOW);
    at = folded.indexOf(':', at + 1)
  ) {
    const isPartOfWord = /\d/.test(folded[at - 1] ?? '') && /\d/.test(folded[at + 1] ?? '');
    if (isPartOfWord || folded.startsWith('//', at + 1)) continue;
    if (requestSpans.some((span) => span.end <= at + 1 && span.start >= clause.start) && folded.slice(at + 1, clause.end).trim() !== '')
      return at + 1;
  }
  return null;
}

function afterColon(context: FreeTextContext): FoundText | null {
  const start = payloadStart(context.features, context.clause, context.requestSpans);
  return start === null ? null : found(context, trimSpaces(context.features.folded, { start, end: context.clause.end }));
}

function afterMarker(context: FreeTextContext, markers: readonly string[]): FoundText | null {
  const { folded } = context.features;
  for (const marker of [...markers].sort((a, b) => b.length - a.length)) {
    for (
      let at = folded.indexOf(marker, context.clause.start);
      at !== -1 && at + marker.length <= Math.min(context.clause.end, REQUEST_WINDOW);
      at = folded.indexOf(marker, at + 1)
    ) {
      if (!isWordBoundary(folded[at - 1], folded[at]) || !isWordBoundary(folded[at + marker.length - 1], folded[at + marker.length]))
        continue;
      const rest = strip(context, { start: at + marker.length, end: context.clause.end }, NAME_EDGES);
      if (rest.end > rest.start) return { ...found(context, rest), start: at };
    }
  }
  return null;
}

/** A short name: the words after a marker, else the few words that are neither request nor filler. */
export function extractName(context: FreeTextContext, hint: ArgumentHints): FoundText | null {
  const { features, clause } = context;
  const quotation = features.quotations.find((entry) => contains(clause, entry) && !isTaken(context, entry));
  if (quotation) return quotedText(features, quotation);
  const markers = hint.after.length > 0 ? hint.after : [hint.name.replaceAll('_', ' ').toLowerCase(), ...NAME_MARKERS];
  for (const marker of markers) {
    const name = nameAfter(context, marker);
    if (name) return name;
  }
  if (!hint.isRequired && hint.after.length > 0) return null;
  const middle = shortMiddle(context);
  return middle && found(context, middle);
}

/** A short name right after one of the argument's `after` markers, or at the beginning and right before a `before` marker. */
export function extractMarkedName(context: FreeTextContext, hint: ArgumentHints): FoundText | null {
  for (const marker of hint.after) {
    const name = nameAfter(context, marker);
    if (name) return name;
  }
  const { folded } = context.features;
  for (const marker of hint.before) {
    const at = folded.slice(0, REQUEST_WINDOW).indexOf(marker, context.clause.start);
    if (at === -1 || at >= context.clause.end) continue;
    const name = strip(
      context,
      { start: context.clause.start, end: at },
      { openers: NAME_EDGE_START, closers: NAME_EDGE_END, isRequest: true, onlyBesideRequest: false },
    );
    const length = name.end - name.start;
    if (length > 0 && length <= 12 && isUnspaced(folded[name.start]) && !context.requestSpans.some((span) => overlaps(span, name)))
      return found(context, name);
  }
  return null;
}

const NAME_EDGES: Edges = { openers: TEXT_OPENERS, closers: TEXT_CLOSERS, isRequest: false, onlyBesideRequest: false };
const NAME_MARKERS = ['named', 'called', 'of', 'for', 'in', 'at', 'about', 'to', 'from', 'with', '名叫', '叫', '关于', '去', '给'];
const NAME_END =
  /[,.;:!?，。；！？、()"\n]|(?<![\p{L}\p{N}])(?:in|at|on|for|to|from|with|by|and|of|the day|that|who|is|are|was|will|please|now|right now|this|next|over|during|because|as)(?![\p{L}\p{N}])/u;
const NAME_WORD_LIMIT = 4;
const NAME_LENGTH_LIMIT = 80;

function nameAfter(context: FreeTextContext, marker: string): FoundText | null {
  const { folded } = context.features;
  const clauseEnd = Math.min(context.clause.end, REQUEST_WINDOW);
  for (let at = folded.indexOf(marker, context.clause.start); at !== -1 && at < clauseEnd; at = folded.indexOf(marker, at + 1)) {
    if (!isWordBoundary(folded[at - 1], folded[at]) || !isWordBoundary(folded[at + marker.length - 1], folded[at + marker.length]))
      continue;
    const start = skipArticles(folded, at + marker.length);
    const blocked = [...context.requestSpans, ...context.takenSpans, ...context.features.dates, ...context.features.times].filter(
      (span) => span.end > start,
    );
    const limit = Math.min(clauseEnd, start + NAME_LENGTH_LIMIT, ...blocked.map((span) => Math.max(span.start, start)));
    const terminator = NAME_END.exec(folded.slice(start, limit));
    const name = strip(context, { start, end: terminator ? start + terminator.index : limit }, NAME_EDGES);
    const words = folded
      .slice(name.start, name.end)
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length === 0 || words.length > NAME_WORD_LIMIT || words.every((word) => ENGLISH_STOP_WORDS.has(word))) continue;
    return { start: at, end: name.end, value: context.features.raw.slice(name.start, name.end) };
  }
  return null;
}

function skipArticles(folded: string, start: number): number {
  return start + (/^\s*(?:(?:the|a|an|my|our) )?\s*/.exec(folded.slice(start, start + 20))?.[0].length ?? 0);
}

/** What stands between the edges of the request, if it is short and in one piece. */
function shortMiddle(context: FreeTextContext): Span | null {
  const middle = strip(
    { ...context, takenSpans: [...context.takenSpans, ...context.features.dates, ...context.features.times, ...context.features.numbers] },
    context.clause,
    { openers: NAME_EDGE_START, closers: NAME_EDGE_END, isRequest: true, onlyBesideRequest: false },
  );
  const text = context.features.folded.slice(middle.start, middle.end);
  const isShort = isUnspaced(text[0])
    ? text.length <= 10 && !/\s/.test(text)
    : text.split(/\s+/).length <= NAME_WORD_LIMIT && text.length <= 60;
  const isWhole = ![...context.requestSpans].some((span) => overlaps(span, middle)) && !NAME_END.test(text);
  return text !== '' && isShort && isWhole ? middle : null;
}

const STOP_WORDS = [...ENGLISH_STOP_WORDS].join('|');
const NAME_EDGE_START = new RegExp(
  `^(?:[\\s,.:;!?、。]+|'s|(?:${STOP_WORDS}|going|now|currently|look|looking|find)(?![\\p{L}\\p{N}])|我的|我|这|那|的|在|从|去|到|把|将|是|有|给|用|为|查|找|看|今年|一下)+`,
  'u',
);
const NAME_EDGE_END = new RegExp(
  `(?:[\\s,.:;!?、。]+|(?<![\\p{L}\\p{N}])(?:${STOP_WORDS}|going|now|currently|look|looking)|的|是|有|会|要|在|去|到|怎么样|怎样|如何|什么|多少|哪里|哪儿|几|里|那边|这边|当地|情况|一下|能|可以|还|还有|吗|呢)+$`,
  'u',
);

/** The clause as it was said, courtesies and closing marks removed. */
export function extractClause(context: FreeTextContext): FoundText | null {
  return found(
    context,
    strip({ ...context, requestSpans: [], takenSpans: [] }, context.clause, {
      openers: OPENING_COURTESIES,
      closers: CLOSING_COURTESIES,
      isRequest: false,
      onlyBesideRequest: false,
    }),
  );
}

/** Words of the clause that match a property's own pattern; also tried in capitals, as such numbers are written. */
export function extractWords(context: FreeTextContext, pattern: string): FoundText[] {
  const expression = compileSafePattern(pattern);
  if (!expression) return [];
  const words = [
    ...context.features.raw
      .slice(context.clause.start, Math.min(context.clause.end, context.clause.start + 2000))
      .matchAll(/[\p{Script=Latin}\p{N}](?:[\p{Script=Latin}\p{N}_#/.-]*[\p{Script=Latin}\p{N}])?/gu),
  ].slice(0, 200);
  return words.flatMap((word) => {
    const start = context.clause.start + word.index;
    const value = [word[0], word[0].toUpperCase()].find((form) => form.length <= 64 && expression.test(form));
    return value === undefined ? [] : [{ start, end: start + word[0].length, value }];
  });
}

/** The start of the marker that stands right before a place, articles and spaces between them allowed; null when none. */
export function markerBefore(folded: string, start: number, markers: readonly string[]): number | null {
  const before = folded.slice(Math.max(0, start - 40), start).replace(/(?:\s|的|(?<![\p{L}\p{N}])(?:the|a|an|about|around))+$/u, '');
  return longest(
    markers
      .filter((marker) => before.endsWith(marker) && isWordBoundary(before[before.length - marker.length - 1], marker[0]))
      .map((marker) => Math.max(0, start - 40) + before.length - marker.length),
    Math.min,
  );
}

/** The end of the marker that stands right after a place; null when none. */
export function markerAfter(folded: string, end: number, markers: readonly string[]): number | null {
  const after = folded.slice(end, end + 40);
  const skipped = /^(?:\s|-|的)*/.exec(after)?.[0].length ?? 0;
  const rest = after.slice(skipped);
  return longest(
    markers
      .filter(
        (marker) =>
          rest.startsWith(marker) &&
          (isWordBoundary(marker.at(-1), rest[marker.length]) ||
            (rest[marker.length] === 's' && isWordBoundary('s', rest[marker.length + 1]))),
      )
      .map((marker) => end + skipped + marker.length),
    Math.max,
  );
}

function longest(places: readonly number[], pick: (...places: number[]) => number): number | null {
  return places.length === 0 ? null : pick(...places);
}

function isTaken(context: FreeTextContext, span: Span): boolean {
  return context.takenSpans.some((taken) => overlaps(taken, span));
}

/** What is taken off the ends of free text. */
interface Edges {
  readonly openers: RegExp;
  readonly closers: RegExp;
  /** Courtesies, the request's words and other arguments go too, as far as they stand at the ends. */
  readonly isRequest: boolean;
  /** Openers and closers go only where the request stood: "remember that ..." has a `that`, "... is his" keeps its `his`. */
  readonly onlyBesideRequest: boolean;
}

function strip(context: FreeTextContext, span: Span, edges: Edges): Span {
  const { folded } = context.features;
  const blocks = edges.isRequest ? [...context.requestSpans, ...context.takenSpans] : [];
  let { start, end } = trimSpaces(folded, span);
  let [isHeadTaken, isTailTaken] = [false, false];
  for (let changed = true; changed && start < end; ) {
    const before = end - start;
    const lengthAt = (pattern: RegExp) => pattern.exec(folded.slice(start, Math.min(end, start + EDGE)))?.[0].length ?? 0;
    if (edges.isRequest && !isHeadTaken) start += lengthAt(OPENING_COURTESIES);
    start += lengthAt(isHeadTaken || !edges.onlyBesideRequest ? edges.openers : BEFORE_OBJECT);
    for (const block of blocks) {
      if (block.start > start || block.end <= start) continue;
      start = Math.min(block.end, end);
      isHeadTaken = true;
    }
    const lengthBefore = (pattern: RegExp) => pattern.exec(folded.slice(Math.max(start, end - EDGE), end))?.[0].length ?? 0;
    if (edges.isRequest && !isTailTaken) end -= lengthBefore(CLOSING_COURTESIES);
    if (isTailTaken || !edges.onlyBesideRequest) end -= lengthBefore(edges.closers);
    for (const block of blocks) {
      if (block.end < end || block.start >= end) continue;
      end = Math.max(block.start, start);
      isTailTaken = true;
    }
    changed = end - start < before;
  }
  return trimSpaces(folded, { start, end: Math.max(start, end) });
}

/** 把 marks what something is done to. */
const BEFORE_OBJECT = /^(?:[\s,.:;、。]+|把|将(?!来|要|军|近)|让(?!座))+/u;

/** Edges are looked at this far in, which keeps a long text cheap. */
const EDGE = 200;

function trimSpaces(folded: string, span: Span): Span {
  let { start, end } = span;
  while (start < end && /\s/.test(folded[start] ?? '')) start += 1;
  while (end > start && /\s/.test(folded[end - 1] ?? '')) end -= 1;
  return { start, end };
}

function found(context: FreeTextContext, span: Span): FoundText {
  return { ...span, value: context.features.raw.slice(span.start, span.end) };
}
