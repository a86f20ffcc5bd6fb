/** A cell: text, a figure, or nothing. */
export type CsvCell = string | number | null;

/** What a spreadsheet takes for the beginning of a formula, full-width forms and leading blanks included. */
const FORMULA = /^[\s\u00a0]*[=+\-@＝＋－＠]|^[\t\r\n]/;

/**
 * A row after RFC 4180, with CRLF. Text that a spreadsheet would run as a formula is made text by an apostrophe (OWASP's
 * advice); figures stay figures.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n;\t']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
