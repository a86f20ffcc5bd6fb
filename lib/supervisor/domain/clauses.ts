import { overlaps, REQUEST_WINDOW, type RequestFeatures, type Span } from '#lib/capabilities/index.ts';

/** A stretch of a message between two places where it could be divided. */
export interface Segment extends Span {
  /** What divides it from the one before: the end of a sentence, or a comma or conjunction. The first has `start`. */
  readonly boundary: 'start' | 'sentence' | 'phrase';
}

/** More divisions than this are not considered; what follows stays in the last segment. */
const SEGMENT_LIMIT = 14;

/**
 * Where a message could be divided into requests: sentence marks, commas, enumerations and conjunctions of both languages.
 * Never inside a quotation, a number (2,340), a time, an address or one of the `whole` spans. Whether to divide is decided
 * by what the parts mean, see `groupSegments`.
 */
export function segmentMessage(features: RequestFeatures, whole: readonly Span[]): Segment[] {
  const { folded } = features;
  const taken = [...features.quotations, ...features.urls, ...features.emails, ...features.times, ...features.numbers, ...whole];
  const segments: Segment[] = [];
  let start = 0;
  let boundary: Segment['boundary'] = 'start';
  for (const match of folded.slice(0, REQUEST_WINDOW).matchAll(BOUNDARY)) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (taken.some((other) => overlaps(other, span))) continue;
    if (segments.length >= SEGMENT_LIMIT - 1) break;
    const isSentence = match.groups?.['sentence'] !== undefined;
    if (folded.slice(start, span.start).trim() !== '') {
      segments.push({ start, end: span.start, boundary });
      boundary = isSentence ? 'sentence' : 'phrase';
    } else if (isSentence && boundary !== 'start') boundary = 'sentence';
    start = span.end;
  }
  if (folded.slice(start).trim() !== '') segments.push({ start, end: folded.length, boundary });
  return segments;
}

const EDGE = '(?<![\\p{L}\\p{N}])';
const END = '(?![\\p{L}\\p{N}])';
const BOUNDARY = new RegExp(
  [
    // A full stop ends a sentence before a space, but not after an initial or an abbreviation.
    `(?<sentence>[。！？!?；;\\n…]+|(?<![\\p{L}\\p{N}.]\\p{L}|mr|mrs|ms|dr|st|no|vs|etc|e\\.g|i\\.e)\\.+(?=\\s|$)|(?<=[\\p{L}]{3})\\.+(?=\\s|$))`,
    '[,，、]',
    `${EDGE}(?:and then|then|after that|and also|and|also|plus|as well as|followed by)${END}`,
    '&',
    '然后|接着|随后|顺便|另外|此外|还有|以及|并且|而且|同时|再(?![见次生度三])|和(?![平谐气好解睦])|跟(?![踪进着])|与(?![会])|并(?![排列行购])',
  ].join('|'),
  'gu',
);
