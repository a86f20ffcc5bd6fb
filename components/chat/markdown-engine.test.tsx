import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { NextIntlClientProvider } from 'next-intl';
import { afterEach, describe, expect, it } from 'vitest';
import { ENGLISH } from '#components/testing/english-messages.ts';
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

describe('MarkdownEngine', () => {
  it.each([
    '<img src=x onerror="window.hacked=1">',
    'a <script>window.hacked=1</script> b',
    '<svg><foreignObject><iframe srcdoc="<script>1</script>"></iframe></foreignObject></svg>',
    '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '<details open ontoggle=alert(1)>x</details>',
    '<style>body{display:none}</style>',
  ])('shows %s as text and makes no element of it', (html) => {
    const container = show(html);
    expect(container.querySelector('img,script,svg:not([aria-hidden]),iframe,style,details,foreignObject,[onerror],[ontoggle]')).toBeNull();
    expect(container.querySelector('a')).toBeNull();
    expect(container.textContent).toContain(html.slice(0, 5));
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](java&#10;script:alert(1))',
    '[x](data:text/html,<script>1</script>)',
    '[x](vbscript:x)',
    '[x](//evil.example/a)',
  ])('makes no link of %s', (text) => {
    const container = show(text);
    expect(container.querySelector('a')).toBeNull();
    expect(container.textContent).toContain('x');
  });

  it('keeps prices as text, in English and in Chinese, and code as code', () => {
    const text = 'from $2bn to $4bn, $5 to $10, US$5 和 US$10, `$PATH` and $x^2$';
    const container = show(text);
    expect(container.textContent).toBe('from $2bn to $4bn, $5 to $10, US$5 和 US$10, $PATH and $x^2$');
    expect(container.querySelector('code')?.textContent).toBe('$PATH');
    expect(container.querySelector('.katex,math')).toBeNull();
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

  it('loads a picture of another host only after a click', () => {
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

  it('does not collapse on syntax that is not finished yet', () => {
    expect(show('Here:\n\n```ts\nconst a = 1;', true).querySelector('pre')?.textContent).toContain('const a = 1;');
    expect(show('| a | b |\n| - | - |\n| 1 ', true).textContent).toContain('1');
    expect(show('**bold so far', true).querySelector('strong')?.textContent).toBe('bold so far');
  });

  it('shows code with its language and offers to copy it', () => {
    const container = show('```python\nprint("hi")\n```');
    expect(container.querySelector('figcaption')?.textContent).toContain('python');
    expect(screen.getByRole('button', { name: 'Copy code' })).toBeTruthy();
  });

  it('draws no diagram of a fence that asks for one', () => {
    const container = show('```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]-->B\n```');
    expect(container.querySelector('svg:not([aria-hidden]),img')).toBeNull();
    expect(container.querySelector('pre')?.textContent).toContain('graph TD');
  });
});
