import { type LexemeKind, readLexemes } from './arithmetic-lexemes.ts';
import { ArithmeticReader } from './arithmetic-reader.ts';
import { foldText, type Span } from './folded-text.ts';

/** Arithmetic found in a text: where it stands, and the same as a formula with plain operators. */
export interface ArithmeticMatch extends Span {
  readonly formula: string;
  /** True for `24/7`, `9-17`, `555-1234`: it may be arithmetic, and is only when asked for. */
  readonly isDoubtful: boolean;
}

/**
 * Finds the longest piece of arithmetic in a folded text: `17% of 2,340`, `三加五乘二`, `sqrt(2) * 3`, `average of 3, 4 and 5`,
 * `2340的17%`, `subtract 4 from 10`. null when nothing is calculated with anything.
 */
export function findArithmetic(folded: string): ArithmeticMatch | null {
  const lexemes = readLexemes(folded);
  let best: { match: ArithmeticMatch; length: number } | null = null;
  let index = 0;
  while (index < lexemes.length) {
    const parsed = STARTS.has(lexemes[index]?.kind ?? 'word') ? new ArithmeticReader(lexemes).readFrom(index) : null;
    const first = lexemes[index];
    const last = parsed && lexemes[parsed.next - 1];
    if (parsed && first && last && parsed.term.operations > 0) {
      const match = {
        start: first.start,
        end: last.end,
        formula: parsed.term.formula,
        isDoubtful: isDoubtful(folded.slice(first.start, last.end)),
      };
      if (!best || match.end - match.start > best.length) best = { match, length: match.end - match.start };
      index = parsed.next;
    } else index += 1;
  }
  return best?.match ?? null;
}

/**
 * A request for arithmetic as a formula: what is around the sum ("what is ... ?", 等于多少) is dropped. A text that is no
 * prose this file knows is handed on as it stands, for the evaluator to accept or refuse.
 */
export function toFormula(text: string): string {
  const folded = foldText(text).replace(/[=?？。]+\s*$/, '');
  const found = findArithmetic(folded);
  if (!found) return folded.trim();
  const around = `${folded.slice(0, found.start)} ${folded.slice(found.end)}`;
  return AROUND.test(around) ? found.formula : folded.trim();
}

/** Nothing but courtesy and the question itself. */
const AROUND =
  /^(?:\s|[=?,.:!$¥€£]|what(?:'s| is| are)?|how much|is|are|calculate|compute|work out|evaluate|please|the|result|equals?|请|帮我|问|计算|算一?下?|求|一下|等于|是|多少|几|得|结果|为|元|块)*$/;

const DATE_LIKE = /^\d{1,4}([-/.]\d{1,4}){1,3}$|^\d+!$/;
function isDoubtful(text: string): boolean {
  return DATE_LIKE.test(text);
}

const STARTS: ReadonlySet<LexemeKind> = new Set([
  'number',
  'constant',
  'minus',
  'open',
  'fraction',
  'function',
  'list-function',
  'verb',
  'percent-of',
]);
