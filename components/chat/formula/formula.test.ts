import { describe, expect, it } from 'vitest';
import { markFormulas } from './find-formulas.ts';
import { type MathNode, readTex } from './read-tex.ts';

/** A tree as one line: `msup(x, 2)`. */
function told(node: MathNode | string | null): string {
  if (node === null) return 'not understood';
  if (typeof node === 'string') return node;
  const inner = node.children.map(told).join(', ');
  return ['mi', 'mn', 'mo', 'mtext'].includes(node.tag) ? inner : `${node.tag.slice(1)}(${inner})`;
}
const read = (tex: string) => told(readTex(tex));
const marked = (text: string) => markFormulas(text).replaceAll('\uE000', '@');

describe('readTex', () => {
  it('reads what models write', () => {
    for (const [tex, expected] of [
      ['x^2', 'sup(x, 2)'],
      ['a_{ij}^2', 'subsup(a, row(i, j), 2)'],
      [String.raw`\frac{1}{2}\pi r^2`, 'row(frac(1, 2), π, sup(r, 2))'],
      [String.raw`\sqrt[3]{x+1}`, 'root(row(x, +, 1), 3)'],
      [String.raw`\int_0^1 f'(x)\,dx`, 'row(subsup(∫, 0, 1), sup(f, ′), (, x, ), space(), d, x)'],
      [
        String.raw`\lim_{n \to \infty} \left( 1 + \frac{1}{n} \right)^n`,
        'row(under(lim, row(n, →, ∞)), sup(row((, 1, +, frac(1, n), )), n))',
      ],
      [String.raw`\text{if } x \in \mathbb{R}`, 'row(if , x, ∈, ℝ)'],
      [String.raw`\begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}`, 'row({, table(tr(td(1), td(x, >, 0)), tr(td(0), td(else))), )'],
      [String.raw`\begin{pmatrix} a & b \\ c & d \end{pmatrix}`, 'row((, table(tr(td(a), td(b)), tr(td(c), td(d))), ))'],
      [String.raw`\hat{y} = \bar x - 12.5\%`, 'row(over(y, ^), =, over(x, ¯), −, 12.5, %)'],
      ['速度 = 5', 'row(速, 度, =, 5)'],
    ] as const)
      expect([tex, read(tex)]).toEqual([tex, expected]);
  });

  it('gives up on what it does not understand, however long and deep that is', () => {
    for (const tex of [
      '{',
      '}',
      '^',
      'x_',
      'a_1_2',
      String.raw`\frac{1}`,
      String.raw`\left( x`,
      String.raw`\begin{tikz}x\end{tikz}`,
      'a & b',
      '$x$',
    ])
      expect([tex, read(tex)]).toEqual([tex, 'not understood']);
    expect(read('{'.repeat(100) + '}'.repeat(100))).toBe('not understood');
    expect(read('x'.repeat(5_000))).toBe('not understood');
    expect(read(String.raw`\href{javascript:alert(1)}{x}`)).toBe('not understood');
  });

  it('answers at once whatever the text is', () => {
    for (const tex of ['\\', '\\\\'.repeat(500), '^'.repeat(2_000), "'".repeat(2_000), String.raw`\sqrt`.repeat(500), '\uD800', '\u0000'])
      expect(() => readTex(tex)).not.toThrow();
  });
});

describe('markFormulas', () => {
  it('tells formulas from money, variables and code', () => {
    for (const plain of [
      'from $2bn to $4bn',
      'US$5 和 US$10',
      '$5-$10, $1,000 and $2,000$',
      'echo $PATH:$HOME and ${A}_$B',
      'the $10 plan and the $20 plan_b$',
      'a `$x^2$` b',
      '```sh\necho $a^2$\n```',
      'unfinished $x^2',
      'unfinished \\(x',
      '价格 $5 元，重量 3$',
      '$$5$$',
    ])
      expect(marked(plain)).toBe(plain);
    expect(marked('so $x$, $n = 2k$ and \\(a\\).')).toBe('so `@x`, `@n = 2k` and `@a`.');
    expect(marked('面积$S=\\pi r^2$。')).toBe('面积`@S=\\pi r^2`。');
    expect(marked('in $$x$$ line')).toBe('in `@x` line');
    expect(marked('above\n  \\[\n  x\n\n  = 1\n  \\]\nbelow')).toBe('above\n  ```math\n  x\n  = 1\n  ```\nbelow');
  });

  it('takes no mark from outside', () => {
    expect(marked('`\uE000x`')).toBe('`x`');
  });

  it('is quick about text that only looks like the beginning of many formulas', () => {
    const startedAtMs = performance.now();
    for (const text of ['$a '.repeat(20_000), '\\['.repeat(20_000), '`'.repeat(20_000), '$$'.repeat(20_000)]) markFormulas(text);
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });
});
