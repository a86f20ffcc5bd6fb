/**
 * The stem of a lower-case English word after M. F. Porter, "An algorithm for suffix stripping" (1980): `translated`,
 * `translating` and `translation` share one. Other words come back as they are.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return [removePlural, removePastAndGerund, yToI, shorten2, shorten3, shorten4, removeFinalE].reduce((stem, step) => step(stem), word);
}

const CONSONANT = '[^aeiou]';
const VOWEL = '[aeiouy]';
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;
const MEASURE_ABOVE_0 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const MEASURE_IS_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const MEASURE_ABOVE_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${VOWEL}`);
const SHORT_END = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);

function removePlural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function removePastAndGerund(word: string): string {
  if (word.endsWith('eed')) return MEASURE_ABOVE_0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const stem = /^(.+)(?:ed|ing)$/.exec(word)?.[1];
  if (stem === undefined || !HAS_VOWEL.test(stem)) return word;
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1);
  return SHORT_END.test(stem) ? `${stem}e` : stem;
}

function yToI(word: string): string {
  return word.endsWith('y') && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

const STEP_2: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};
const STEP_3: Readonly<Record<string, string>> = { icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' };
const SUFFIX_2 = suffixPattern(Object.keys(STEP_2));
const SUFFIX_3 = suffixPattern(Object.keys(STEP_3));
const SUFFIX_4 = /^(.+?)(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

function suffixPattern(suffixes: readonly string[]): RegExp {
  return new RegExp(`^(.+?)(${suffixes.join('|')})$`);
}

function shorten2(word: string): string {
  return replaceSuffix(word, SUFFIX_2, STEP_2);
}

function shorten3(word: string): string {
  return replaceSuffix(word, SUFFIX_3, STEP_3);
}

function replaceSuffix(word: string, pattern: RegExp, replacements: Readonly<Record<string, string>>): string {
  const [, stem = '', suffix = ''] = pattern.exec(word) ?? [];
  return stem !== '' && MEASURE_ABOVE_0.test(stem) ? stem + (replacements[suffix] ?? '') : word;
}

function shorten4(word: string): string {
  const stem = SUFFIX_4.exec(word)?.[1] ?? /^(.+?[st])ion$/.exec(word)?.[1];
  return stem !== undefined && MEASURE_ABOVE_1.test(stem) ? stem : word;
}

function removeFinalE(word: string): string {
  let stem = word;
  if (stem.endsWith('e')) {
    const shorter = stem.slice(0, -1);
    if (MEASURE_ABOVE_1.test(shorter) || (MEASURE_IS_1.test(shorter) && !SHORT_END.test(shorter))) stem = shorter;
  }
  return stem.endsWith('ll') && MEASURE_ABOVE_1.test(stem) ? stem.slice(0, -1) : stem;
}
