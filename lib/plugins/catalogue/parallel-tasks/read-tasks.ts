/** Tasks of one message; what is beyond them is told. */
export const TASKS_A_MESSAGE = 8;

/** `-`, `*`, `1.`, `2)`, `(3)`, `①`, `一、` before a task. */
const MARK = /^\s*(?:[-*•·](?:\s+|$)|\(?\d{1,2}[.)、）:：](?!\d)\s*|[①-⑳]\s*|[一二三四五六七八九十]{1,3}[、.．]\s*)/u;

/**
 * The tasks of a message, in order: a line each, or, on a single line, what stands between semicolons. A first line that ends
 * with a colon only leads to them.
 */
export function readTasks(message: string): string[] {
  const lines = message
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first = '', ...rest] = lines;
  const isLead = rest.length > 0 && /[:：]$/u.test(first);
  const pieces = lines.length > 1 ? (isLead ? rest : lines) : splitLine(first);
  return pieces.map((piece) => piece.replace(MARK, '').trim()).filter((piece) => piece !== '');
}

/** Semicolons within quotation marks belong to what is quoted. */
function splitLine(line: string): string[] {
  const pieces = [''];
  let closing: string | null = null;
  for (const character of line) {
    if (closing === null && /[;；]/u.test(character)) {
      pieces.push('');
      continue;
    }
    if (closing === character) closing = null;
    else if (closing === null) closing = QUOTES[character] ?? null;
    pieces[pieces.length - 1] += character;
  }
  return pieces;
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '「': '」', '『': '』', '«': '»' };
