/** What is hidden from those who may not see it. The names are what is shown in its place: `▇ email`. */
export type PersonalKind = 'email' | 'phone' | 'id number' | 'card' | 'key' | 'secret';

/** A stretch of a text, `end` not included. */
export interface PersonalSpan {
  readonly kind: PersonalKind;
  readonly start: number;
  readonly end: number;
}

interface Detector {
  readonly kind: PersonalKind;
  readonly pattern: RegExp;
  /** Whether the match is what it looks like: a checksum, mostly. */
  readonly accepts?: (match: string) => boolean;
}

/** Not inside a word, a longer number or an id of ours: a run's id holds 32 digits and letters, and is nobody's card. */
const BEFORE = '(?<![\\p{L}\\p{N}_])';
const BEFORE_LATIN = '(?<![A-Za-z0-9_])';
const AFTER_LATIN = '(?![A-Za-z0-9_])';
const GAP = '[ \\u00a0.\\-‐-―]?';

/** In order: an earlier one keeps its stretch, so that a key in an address is a key. */
const DETECTORS: readonly Detector[] = [
  { kind: 'key', pattern: /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,32}PRIVATE KEY-----|$)/g },
  { kind: 'key', pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{6,}\.eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*/g },
  {
    kind: 'key',
    pattern:
      /(?<![A-Za-z0-9])(?:sk|pk|rk|ak)-[A-Za-z0-9_-]{12,}|(?<![A-Za-z0-9])(?:sk|pk|rk|whsec)_[A-Za-z0-9_]{12,}|(?<![A-Za-z0-9])bw_[A-Za-z0-9_-]{12,}|(?<![A-Za-z0-9])(?:AKIA|ASIA|LTAI|AKID)[A-Za-z0-9]{12,}|(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|npm_|hf_|AIza|ya29\.|dop_v1_|SG\.)[A-Za-z0-9_.-]{12,}/g,
  },
  { kind: 'key', pattern: /(?<=\b(?:bearer|basic)\s{1,4})[A-Za-z0-9+/_.~-]{12,}={0,2}/gi },
  { kind: 'secret', pattern: /(?<=:\/\/[^\s/:@]{0,64}:)[^\s/@]{1,256}(?=@)/gi },
  {
    kind: 'secret',
    pattern:
      /(?<=(?<![\p{L}\p{N}])(?:password|passwd|passphrase|pwd|secret|api[ _-]?key|access[ _-]?key|access[ _-]?token|auth[ _-]?token|client[ _-]?secret|private[ _-]?key|pin code|密码|口令|密钥|私钥|令牌|验证码)(?:["'”’」]?\s{0,4}(?:[:=：＝]|=>|is\b|are\b|是|为|→)\s{0,4}["'“‘「]?))[^\s"'“”‘’「」,，;；。]{3,}/giu,
  },
  // Of bounded length on both sides, and from its beginning only: it must not be tried from each letter of a long word.
  {
    kind: 'email',
    pattern:
      /(?<![A-Za-z0-9._%+'-]|▇ )(?:[A-Za-z0-9._%+'-]{1,64}|(?<!\p{L})[\p{L}\p{N}._-]{1,32}) ?@ ?(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu,
  },
  // China's resident id: 17 digits and a check character.
  { kind: 'id number', pattern: new RegExp(`${BEFORE_LATIN}(?:\\d${GAP}){17}[\\dXx]${AFTER_LATIN}`, 'gu'), accepts: isResidentId },
  // Its older form, 15 digits with a date of the 20th century inside; and the 18 of a person, wrong in its check, after its name.
  {
    kind: 'id number',
    pattern: /(?<![A-Za-z0-9_])[1-8]\d{5}\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}(?![A-Za-z0-9_])/g,
  },
  {
    kind: 'id number',
    pattern:
      /(?<=(?:身份证|证件|护照|学号|工号|社保|通行证|passport|identity card|id card|national id|student id|social security|ssn|driver'?s licen[cs]e)[^\d\n]{0,16}?)[A-Za-z]{0,3}\d[\dXx-]{4,19}(?![A-Za-z0-9_])/giu,
  },
  { kind: 'id number', pattern: /(?<![A-Za-z0-9_-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![A-Za-z0-9_-])/g },
  // Passport and travel permits of China, Hong Kong's identity card, Taiwan's.
  { kind: 'id number', pattern: /(?<![A-Za-z0-9_])(?:E[A-HJ-NP-Z]\d{7}|[EGDSPHMC]\d{8})(?![A-Za-z0-9_])/g },
  { kind: 'id number', pattern: /(?<![A-Za-z0-9_])[A-Z]{1,2}\d{6}\([0-9A]\)/g },
  { kind: 'id number', pattern: /(?<![A-Za-z0-9_])[A-Z][12]\d{8}(?![A-Za-z0-9_])/g },
  // China's unified social credit code.
  {
    kind: 'id number',
    pattern: /(?<![A-Za-z0-9_])[159Y][1239][0-9]{6}[0-9A-HJ-NPQRTUWXY]{10}(?![A-Za-z0-9_])/g,
    accepts: (code) => /[A-Z]/.test(code),
  },
  { kind: 'card', pattern: /(?<![A-Za-z0-9_])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9_])/g, accepts: isIban },
  { kind: 'card', pattern: new RegExp(`${BEFORE_LATIN}(?<!\\d[.,])[2-6](?:${GAP}\\d){12,18}${AFTER_LATIN}`, 'gu'), accepts: isCard },
  {
    kind: 'card',
    pattern: /(?<=(?:银行卡|卡号|账号|帐号|card number|account number|account no)[^\d\n]{0,12}?)\d(?:[ -]?\d){9,22}(?![A-Za-z0-9_])/giu,
  },
  // A Chinese mobile, with or without the country; a landline; extensions.
  {
    kind: 'phone',
    pattern: new RegExp(`(?<![A-Za-z0-9_])(?:(?:\\+|00)?86${GAP})?1[3-9]\\d${GAP}\\d{4}${GAP}\\d{4}${AFTER_LATIN}`, 'gu'),
  },
  {
    kind: 'phone',
    pattern:
      /(?<![A-Za-z0-9_])(?:(?:\+|00)?86[ -]?)?[(（]?0(?:10|2\d|[3-9]\d{2})[)）]?[ -]?\d{3,4}[ -]?\d{4}(?:\s?(?:-|转|ext\.?)\s?\d{1,5})?(?![A-Za-z0-9_])/giu,
  },
  { kind: 'phone', pattern: /(?<![A-Za-z0-9_])(?:400|800)-?\d{3}-?\d{4}(?![A-Za-z0-9_])/g },
  { kind: 'phone', pattern: new RegExp(`${BEFORE}\\+[1-9]\\d{0,2}(?:[ ().-]{0,2}\\d){6,12}${AFTER_LATIN}`, 'gu') },
  { kind: 'phone', pattern: /(?<![A-Za-z0-9_-])(?:\(\d{3}\)\s?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![A-Za-z0-9_-])/g },
  {
    kind: 'phone',
    pattern:
      /(?<=(?:手机|电话|联系方式|座机|phone|mobile|telephone|cell|tel|whatsapp|微信|wechat|qq)[^\d\n]{0,12}?)\+?\d(?:[ ().-]{0,2}\d){4,14}(?![A-Za-z0-9_])/giu,
  },
];

/**
 * Where in a text something personal or secret stands, in order and without overlap: mail addresses, telephone numbers,
 * numbers of identity papers, bank cards and accounts, keys and passwords, in Chinese and Western forms, full-width ones
 * included. Names and addresses of houses are not found. Linear in the text.
 */
export function findPersonalData(text: string): PersonalSpan[] {
  // One unit for one unit, so that places in the folded text are places in the text.
  const folded = foldWidth(text);
  const taken: PersonalSpan[] = [];
  for (const { kind, pattern, accepts } of DETECTORS) {
    for (const match of folded.matchAll(pattern)) {
      const span = { kind, start: match.index, end: match.index + match[0].length };
      if (match[0] === '' || (accepts && !accepts(match[0]))) continue;
      if (!taken.some((other) => span.start < other.end && other.start < span.end)) taken.push(span);
    }
  }
  return taken.sort((a, b) => a.start - b.start);
}

/** Full-width letters, digits and signs as their plain forms. */
function foldWidth(text: string): string {
  return text.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)).replaceAll('\u3000', ' ');
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** GB 11643: weights and a remainder of eleven; the month and day must be ones. */
function isResidentId(match: string): boolean {
  const id = match.replace(/[^\dXx]/g, '').toUpperCase();
  if (id.length !== 18 || !/^\d{6}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/.test(id)) return false;
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(id[index]), 0);
  return '10X98765432'[sum % 11] === id[17];
}

/** Luhn's check over 13 to 19 digits that begin as a card's do. */
function isCard(match: string): boolean {
  const digits = digitsOf(match);
  if (!/^(?:4|5[0-9]|2[2-7]|3[0-9]|6[0-9])/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** ISO 13616: the remainder by 97 is one. */
function isIban(match: string): boolean {
  const account = match.replaceAll(' ', '');
  if (account.length < 15) return false;
  const moved = account.slice(4) + account.slice(0, 4);
  let remainder = 0;
  for (const character of moved) remainder = Number(`${remainder}${Number.parseInt(character, 36)}`) % 97;
  return remainder === 1;
}
