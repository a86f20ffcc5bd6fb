/** Marks an inline formula inside a code span: nobody types it. */
export const FORMULA_MARK = '\uE000';
/** The language of a fence that holds a formula of its own line. */
export const FORMULA_LANGUAGE = 'math';

/**
 * Markdown in which formulas are code that is marked as such, so that nothing in them is read as Markdown. Formulas are
 * `\(x\)`, `\[x\]`, `$$x$$`, and `$x$` where it looks like one: money, variables of a shell and code stay as they are (known
 * fault K27). A formula that is not closed yet is text.
 */
export function markFormulas(markdown: string): string {
  const text = markdown.replaceAll(FORMULA_MARK, '');
  if (!/\$|\\[([]/.test(text)) return text;
  return splitCode(text)
    .map(({ isCode, part }) => (isCode ? part : markIn(part)))
    .join('');
}

const CODE = /(^|\n)[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n[ \t]*\2[`~]*[ \t]*(?=\n|$)|$)|(`+)(?!`)[\s\S]*?[^`]\3(?!`)/g;

function splitCode(text: string): { isCode: boolean; part: string }[] {
  const parts: { isCode: boolean; part: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(CODE)) {
    parts.push({ isCode: false, part: text.slice(end, match.index) }, { isCode: true, part: match[0] });
    end = match.index + match[0].length;
  }
  return [...parts, { isCode: false, part: text.slice(end) }];
}

// Bounded: a text may hold the beginnings of many that never end.
const FORMULA =
  /\\\[([\s\S]{1,2000}?)\\\]|\$\$([\s\S]{1,2000}?)\$\$|\\\(([\s\S]{1,500}?)\\\)|(?<![\w$\\])\$(?=\S)([^$\n]{0,300}?[^\s$\\])\$(?![\w$])/g;

function markIn(text: string): string {
  return text.replace(FORMULA, (whole: string, ...found: [string?, string?, string?, string?, ...unknown[]]) => {
    const [bracketed, doubled, rounded, dollared] = found;
    const offset = found.find((value) => typeof value === 'number') ?? 0;
    const set = (bracketed ?? doubled ?? rounded ?? dollared ?? '').trim();
    const isFormula = dollared === undefined ? !/^[\d.,\s]*$/.test(set) : looksLikeFormula(dollared);
    if (!isFormula || set.includes('`')) return whole;
    const indent = bracketed !== undefined || doubled !== undefined ? indentOfOwnLine(text, offset, offset + whole.length) : null;
    if (indent === null) return `\`${FORMULA_MARK}${set.replace(/\s+/g, ' ')}\``;
    const lines = set.split('\n').filter((line) => line.trim() !== '');
    return [`\`\`\`${FORMULA_LANGUAGE}`, ...lines.map((line) => indent + line.trim()), `${indent}\`\`\``].join('\n');
  });
}

/** The blanks before a formula that has its lines for itself; null for one in the midst of text. */
function indentOfOwnLine(text: string, start: number, end: number): string | null {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const after = text.slice(end).split('\n', 1)[0] ?? '';
  return before.trim() === '' && after.trim() === '' ? before : null;
}

/** A name, or something with an operator; but no prose, and nothing that begins with an amount and has no more than a dash in it. */
function looksLikeFormula(text: string): boolean {
  if (/^\d*[A-Za-z]'*$/.test(text)) return true;
  const words = text.replace(/\\[a-zA-Z]+(?:\{[^{}]*\})?/g, ' ');
  if (/[A-Za-z]{3,}[ ,;]+[A-Za-z]{2,}|^\d[\d.,]*\s+[A-Za-z]{2,}/.test(words) || /[\u4E00-\u9FFF]/.test(words)) return false;
  return /^\d/.test(text) ? /[\\^_=]/.test(text) : /[\\^_=+*/<>|-]/.test(text);
}
