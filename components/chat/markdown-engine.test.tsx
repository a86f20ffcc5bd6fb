import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { NextIntlClientProvider } from 'next-intl';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ENGLISH } from '#components/testing/english-messages.ts';
import { verifies } from '#e2e/verifies.ts';
import MarkdownEngine from './markdown-engine.tsx';

afterEach(cleanup);

function show(text: string, isStreaming = false): HTMLElement {
  const { container } = render(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={ENGLISH}>
      <MarkdownEngine text={text} isStreaming={isStreaming} />
    </NextIntlClientProvider>,
  );
  return container;
}

/** Elements and attributes that could run something, load something or cover the page. */
const FORBIDDEN =
  'img,script,svg:not([aria-hidden]),math,iframe,object,embed,base,form,input,style,details,foreignObject,[onerror],[ontoggle],[onload],[onfocus]';

describe('MarkdownEngine', { timeout: 30_000 }, () => {
  verifies('K26', 'shows HTML of an answer as text and makes no element of it', () => {
    for (const html of [
      '<img src=x onerror="window.hacked=1">',
      'a <script>window.hacked=1</script> b',
      '<svg onload=alert(1)><foreignObject><iframe srcdoc="<script>1</script>"></iframe></foreignObject></svg>',
      '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
      '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
      '<object data="data:text/html,<script>1</script>"></object><embed src=x><base href="https://evil.example/">',
      '<a href="javascript:alert(1)">x</a>',
      '<form action="https://evil.example/"><input name=password autofocus onfocus=alert(1)></form>',
      '<details open ontoggle=alert(1)>x</details>',
      '<style>body{display:none}</style>',
      '<!--><img src=x onerror=alert(1)>-->',
      '| <img src=x onerror=alert(1)> |\n| - |\n| <script>1</script> |',
    ]) {
      for (const isStreaming of [false, true]) {
        const container = show(html, isStreaming);
        expect([html, container.querySelector(FORBIDDEN)]).toEqual([html, null]);
        expect([html, container.querySelector('a')]).toEqual([html, null]);
        expect(container.textContent).toContain(html.replace(/^\| /, '').slice(0, 5));
        cleanup();
      }
    }
    expect('hacked' in window).toBe(false);
  });

  verifies('K26', 'makes no link of an address that could do more than go there', () => {
    for (const text of [
      '[x](javascript:alert(1))',
      '[x](JaVaScRiPt:alert(1))',
      '[x](java&#10;script:alert(1))',
      '[x](&#1;javascript:alert(1))',
      '[x](data:text/html,<script>1</script>)',
      '[x](vbscript:x)',
      '[x](blob:https://a.example/1)',
      '[x](//evil.example/a)',
      '[x][r]\n\n[r]: javascript:alert(1)',
      '<javascript:alert(1)>',
    ]) {
      const container = show(text);
      expect([text, container.querySelector('a')]).toEqual([text, null]);
      expect(container.textContent).toMatch(/x|javascript/);
      cleanup();
    }
  });

  verifies('K27', 'keeps prices as text, in English and in Chinese, and code as code', () => {
    const text = 'from $2bn to $4bn, $5 to $10, US$5 和 US$10, `$PATH`, $HOME/bin:$PATH and 5$-10$';
    const container = show(text);
    expect(container.textContent).toBe('from $2bn to $4bn, $5 to $10, US$5 和 US$10, $PATH, $HOME/bin:$PATH and 5$-10$');
    expect(container.querySelector('math')).toBeNull();
    expect(container.querySelector('code')?.textContent).toBe('$PATH');
    cleanup();
    for (const isStreaming of [false, true]) {
      const money = show('从 $2bn 到 $4bn，$$5$$ 和 ￥10；**$1**,000', isStreaming);
      expect(money.textContent).toBe('从 $2bn 到 $4bn，$$5$$ 和 ￥10；$1,000');
      expect(money.querySelector('.katex,math,annotation')).toBeNull();
      cleanup();
    }
  });

  verifies('K27', 'sets formulas, in the midst of text and on lines of their own, beside money and code', async () => {
    const container = show(
      '面积是 $\\pi r^2$，费用 $5 到 $10；\\(x_1 \\neq x_2\\) and `$x^2$`:\n\n\\[\n\\frac{a_*b}{c_*d}\n\\]\n\n- item\n  $$\\sum_{i=1}^n i$$\n- next',
    );
    await vi.waitFor(() => expect(container.querySelectorAll('math')).toHaveLength(4), { timeout: 10_000 });
    const [area, unequal, fraction, sum] = container.querySelectorAll('math');
    expect(area?.innerHTML).toBe('<mrow><mi>π</mi><msup><mi>r</mi><mn>2</mn></msup></mrow>');
    expect(unequal?.textContent).toBe('x1≠x2');
    expect(fraction?.getAttribute('display')).toBe('block');
    expect(sum?.querySelector('munderover')?.textContent).toBe('∑i=1n');
    expect(container.querySelector('em')).toBeNull();
    expect(container.querySelectorAll('li')).toHaveLength(2);
    expect(container.textContent).toContain('费用 $5 到 $10；');
    expect([...container.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual(['$x^2$']);
  });

  verifies('K27', 'shows a formula that is not understood or not finished as it was written', async () => {
    const odd = show('So $\\unknowncommand{x}^2$ it is.');
    await vi.waitFor(() => expect(odd.querySelector('code')?.textContent).toBe(String.raw`\unknowncommand{x}^2`), { timeout: 10_000 });
    cleanup();
    const whole = 'Then $a^2 + b^2 = c^2$ and \\[\\sqrt{2}\\] hold.';
    for (let length = 1; length <= whole.length; length += 1) {
      const { textContent } = show(whole.slice(0, length), true);
      if (length >= 4) expect(textContent).toContain('Then');
      cleanup();
    }
  });

  it('sets emphasis right between Chinese characters and punctuation', () => {
    const container = show('请提交**成绩单（原件）**和*推荐信*。**注意：**截止日期。');
    expect([...container.querySelectorAll('strong')].map((element) => element.textContent)).toEqual(['成绩单（原件）', '注意：']);
    expect(container.querySelector('em')?.textContent).toBe('推荐信');
  });

  it('ends a bare address before Chinese punctuation', () => {
    const container = show('见 https://example.com/a，然后继续。');
    expect(container.querySelector('a')?.getAttribute('href')).toBe('https://example.com/a');
  });

  verifies('K26', 'loads a picture of another host only after a click', () => {
    const container = show('![plan](https://other.example/plan.png)');
    expect(container.querySelector('img')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /other\.example/ }));
    expect(container.querySelector('img')?.getAttribute('src')).toBe('https://other.example/plan.png');
  });

  it('opens other hosts apart from the page and tells them nothing', () => {
    const link = show('[x](https://other.example/)').querySelector('a');
    expect(link?.getAttribute('target')).toBe('_blank');
    expect(link?.getAttribute('rel')).toContain('noopener');
  });

  verifies('K27', 'does not collapse on syntax that is not finished yet', () => {
    expect(show('Here:\n\n```ts\nconst a = 1;', true).querySelector('pre')?.textContent).toContain('const a = 1;');
    expect(show('| a | b |\n| - | - |\n| 1 ', true).textContent).toContain('1');
    cleanup();
    const whole = 'It costs $5.\n\n```sh\necho $PATH\n```\n\nand **$4bn**.';
    for (let length = 1; length <= whole.length; length += 1) {
      const { textContent } = show(whole.slice(0, length), true);
      // All the words so far are there, at whatever point the text breaks off.
      for (const word of whole.slice(0, length).match(/[A-Za-z]{3,}/g) ?? []) expect(textContent).toContain(word);
      cleanup();
    }
    expect(show('**bold so far', true).querySelector('strong')?.textContent).toBe('bold so far');
  });

  it('shows code with its language and offers to copy it', () => {
    const container = show('```python\nprint("hi")\n```');
    expect(container.querySelector('figcaption')?.textContent).toContain('python');
    expect(screen.getByRole('button', { name: 'Copy code' })).toBeTruthy();
  });

  verifies('K26', 'draws no diagram of a fence that asks for one', () => {
    const container = show('```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]-->B\n```');
    expect(container.querySelector('svg:not([aria-hidden]),img')).toBeNull();
    expect(container.querySelector('pre')?.textContent).toContain('graph TD');
  });
});
