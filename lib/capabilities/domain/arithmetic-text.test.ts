import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findArithmetic, toFormula } from './arithmetic-text.ts';
import { foldText } from './folded-text.ts';

describe('toFormula', () => {
  it.each([
    ['what is 17% of 2,340?', '17 / 100 * 2340'],
    ['2,340 的 17% 是多少', '2340 * 17 / 100'],
    ['2340的百分之十七', '2340 * 17 / 100'],
    ['200 + 10%', '200 * (1 + 10 / 100)'],
    ['20% off 80', '80 * (1 - 20 / 100)'],
    ['15% tip on $84.50', '15 / 100 * 84.50'],
    ['17 % 5', '17 mod 5'],
    ['三加五乘二等于多少', '3 + 5 * 2'],
    ['（３＋４）×２＝', '(3 + 4) * 2'],
    ['12 x 5', '12 * 5'],
    ['square root of 144 plus 3 squared', 'sqrt(144) + 3^2'],
    ['half of 90', '1/2 * 90'],
    ['1/3 of 90', '1 / 3 * 90'],
    ['five times six', '5 * 6'],
    ['subtract 4 from 10', '10 - 4'],
    ['average of 3, 4 and 5', 'mean(3, 4, 5)'],
    ['3、4和5的平均数', 'mean(3, 4, 5)'],
    ['2的10次方', '2^10'],
    ['9开根号', 'sqrt(9)'],
    ['100元打八五折', '100 * 85 / 100'],
    ['7 factorial', '7!'],
    ['-2^2', '-2^2'],
    ['8 / (2 * 2)', '8 / (2 * 2)'],
    ['10 - (4 - 3)', '10 - (4 - 3)'],
    ['sin(pi/4)', 'sin(pi / 4)'],
  ])('reads %s', (text, formula) => {
    expect(toFormula(text)).toBe(formula);
  });

  it('hands on what it does not know as arithmetic, for the evaluator to refuse', () => {
    expect(toFormula('import("fs")')).toBe('import("fs")');
    expect(toFormula('a = 3')).toBe('a = 3');
  });
});

describe('findArithmetic', () => {
  it.each(['I have 3 apples', '多少钱', '2 of 5 people', 'call me in 5 minutes', 'room 3'])('sees none in: %s', (text) => {
    expect(findArithmetic(foldText(text))).toBeNull();
  });

  it.each(['24/7', '2025-03-12', '555-1234', '5!'])('doubts %s', (text) => {
    expect(findArithmetic(foldText(`see ${text}`))?.isDoubtful).toBe(true);
  });

  it('says where it stands', () => {
    const text = 'please tell me 2 + 2 now';
    const found = findArithmetic(text);
    expect(text.slice(found?.start, found?.end)).toBe('2 + 2');
  });

  it('is total, and bounded in depth', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '1',
            '2,3',
            '+',
            '-',
            '(',
            ')',
            '%',
            'of',
            '的',
            '加',
            'sqrt',
            ',',
            'and',
            '^',
            '!',
            '百分之',
            '打8折',
            'add',
            'x',
          ),
        ),
        (parts) => {
          const found = findArithmetic(parts.join(' '));
          expect(found === null || found.formula.length > 0).toBe(true);
        },
      ),
    );
    expect(findArithmetic('('.repeat(5_000))).toBeNull();
    expect(findArithmetic(`${'-'.repeat(5_000)}1`)).toBeNull();
  });
});
