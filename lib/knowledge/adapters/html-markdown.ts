import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** What is on a page beside what it says. */
const LEFT_OUT = new Set(['script', 'style', 'noscript', 'template', 'nav', 'header', 'footer', 'aside', 'form', 'iframe', 'svg', 'head']);
const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'figure',
  'figcaption',
  'address',
  'dl',
  'dt',
  'dd',
  'details',
  'summary',
  'body',
  'table',
]);
/** Deeper than any page that was written, and shallower than the stack. */
const DEPTH_LIMIT = 200;

/** A page as Markdown: its title, and what it says in headings, paragraphs, lists, quotations, code and rows. Links become their text. */
export function htmlToMarkdown(html: string): { title: string | null; markdown: string } {
  const document = parse(html);
  const all = document.childNodes.flatMap((node) => elementsOf(node, 0));
  const title = all.find(({ tagName }) => tagName === 'title');
  const root = all.find(({ tagName }) => tagName === 'main') ?? all.find(({ tagName }) => tagName === 'body');
  const markdown = root ? blocksOf(root, 0) : '';
  return {
    title: title ? inline(title.childNodes, 0).trim() || null : null,
    markdown: markdown
      .replace(/[^\S\n]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

function elementsOf(node: Node, depth: number): Element[] {
  if (!('tagName' in node) || depth > DEPTH_LIMIT) return [];
  return [node, ...node.childNodes.flatMap((child) => elementsOf(child, depth + 1))];
}

function blocksOf(element: Element, depth: number): string {
  if (depth > DEPTH_LIMIT) return '';
  let text = '';
  for (const child of element.childNodes) {
    if (!('tagName' in child)) {
      text += inline([child], depth);
      continue;
    }
    const name = child.tagName;
    if (LEFT_OUT.has(name)) continue;
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading) text += `\n\n${'#'.repeat(Number(heading))} ${line(child, depth)}\n\n`;
    else if (name === 'pre') text += `\n\n\`\`\`\n${textOf(child, depth).replace(/\n+$/, '').replaceAll('```', "'''")}\n\`\`\`\n\n`;
    else if (name === 'ul' || name === 'ol') text += `\n\n${itemsOf(child, depth, name === 'ol')}\n\n`;
    else if (name === 'blockquote') text += `\n\n${quoted(blocksOf(child, depth + 1))}\n\n`;
    else if (name === 'tr') text += `\n${rowOf(child, depth)}\n`;
    else if (name === 'hr') text += '\n\n---\n\n';
    else if (name === 'br') text += '\n';
    else if (BLOCKS.has(name)) text += `\n\n${blocksOf(child, depth + 1)}\n\n`;
    else text += blocksOf(child, depth + 1);
  }
  return text;
}

function itemsOf(list: Element, depth: number, isNumbered: boolean): string {
  const items = list.childNodes.filter((node): node is Element => 'tagName' in node && node.tagName === 'li');
  return items
    .map((item, index) => {
      const body = blocksOf(item, depth + 1)
        .replace(/\n{2,}/g, '\n')
        .trim();
      return `${isNumbered ? `${index + 1}.` : '-'} ${body.replaceAll('\n', '\n  ')}`;
    })
    .join('\n');
}

function rowOf(row: Element, depth: number): string {
  const cells = row.childNodes.filter((node): node is Element => 'tagName' in node && (node.tagName === 'td' || node.tagName === 'th'));
  return cells.map((cell) => line(cell, depth)).join(' | ');
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((each) => `> ${each}`.trimEnd())
    .join('\n');
}

function line(element: Element, depth: number): string {
  return inline(element.childNodes, depth).replace(/\s+/g, ' ').trim();
}

function inline(nodes: readonly Node[], depth: number): string {
  if (depth > DEPTH_LIMIT) return '';
  return nodes
    .map((node) => {
      if ('value' in node) return node.value.replace(/\s+/g, ' ');
      if (!('tagName' in node) || LEFT_OUT.has(node.tagName)) return '';
      return node.tagName === 'br' ? '\n' : inline(node.childNodes, depth + 1);
    })
    .join('');
}

function textOf(element: Element, depth: number): string {
  if (depth > DEPTH_LIMIT) return '';
  return element.childNodes.map((node) => ('value' in node ? node.value : 'tagName' in node ? textOf(node, depth + 1) : '')).join('');
}
