'use client';

import { cjk } from '@streamdown/cjk';
import { useTranslations } from 'next-intl';
import { type ComponentProps, createElement, isValidElement, lazy, type ReactNode, Suspense, useState } from 'react';
import { type Components, defaultRehypePlugins, type ExtraProps, Streamdown } from 'streamdown';
import { Button } from '#components/ui/button.tsx';
import { CodeView } from '#components/ui/code-view.tsx';
import { FORMULA_LANGUAGE, FORMULA_MARK, markFormulas } from './formula/find-formulas.ts';
import { isOwnAddress, safeHref } from './safe-address.ts';

const Formula = lazy(() => import('./formula/formula.tsx'));

/**
 * Renders what an agent wrote. Raw HTML stays text (the plug-in that would parse it is left out), links carry only harmless
 * schemes, and images of other hosts load after a click. What sets formulas is loaded with the first of them; `$5 to $10` stays
 * money.
 */
export default function MarkdownEngine({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  return (
    <Streamdown
      mode={isStreaming ? 'streaming' : 'static'}
      parseIncompleteMarkdown={isStreaming}
      plugins={PLUGINS}
      rehypePlugins={REHYPE_PLUGINS}
      components={COMPONENTS}
      controls={false}
      linkSafety={{ enabled: false }}
      urlTransform={(url) => url}
    >
      {markFormulas(text)}
    </Streamdown>
  );
}

const PLUGINS = { cjk };
// Only sanitising is kept of the defaults: `raw` would parse HTML, `harden` would let every host through.
const REHYPE_PLUGINS = [defaultRehypePlugins['sanitize']].filter((plugin) => plugin !== undefined);

/** The element itself without the engine's own looks; `.said` in globals.css dresses it. */
function bare(tag: string) {
  return function Bare({ node: _node, className: _className, ...rest }: { className?: string } & ExtraProps & Record<string, unknown>) {
    return createElement(tag, rest);
  };
}

const BARE_TAGS = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'hr',
  'strong',
  'em',
  'del',
  'sub',
  'sup',
  'section',
  'thead',
  'tbody',
  'tr',
] as const;

const COMPONENTS: Components = {
  ...Object.fromEntries(BARE_TAGS.map((tag) => [tag, bare(tag)])),
  a: Anchor,
  img: Picture,
  table: Table,
  th: ({ node: _node, className: _className, ...rest }) => <th scope="col" {...rest} />,
  td: ({ node: _node, className: _className, ...rest }) => <td {...rest} />,
  pre: Fence,
  code: InlineCode,
};

function Anchor({ href, children }: ComponentProps<'a'> & ExtraProps) {
  const target = safeHref(href);
  if (target === null) return <>{children}</>;
  const isOther = !isOwnAddress(target);
  return (
    <a href={target} title={target} {...(isOther ? { target: '_blank', rel: 'noopener noreferrer nofollow' } : {})}>
      {children}
    </a>
  );
}

/** A picture of another host would tell that host who reads what and when. */
function Picture({ src, alt }: ComponentProps<'img'> & ExtraProps) {
  const t = useTranslations('chat.markdown');
  const [isWanted, setIsWanted] = useState(false);
  const target = safeHref(typeof src === 'string' ? src : undefined);
  if (target === null || target.startsWith('mailto:')) return <>{alt}</>;
  if (isWanted || isOwnAddress(target)) {
    // oxlint-disable-next-line nextjs/no-img-element -- its address and size are the agent's, unknown beforehand
    return <img src={target} alt={alt ?? ''} loading="lazy" referrerPolicy="no-referrer" className="max-h-96 max-w-full" />;
  }
  return (
    <Button look="outline" size="small" onClick={() => setIsWanted(true)} title={target}>
      {t('loadImage', { host: hostOf(target), description: alt || t('image') })}
    </Button>
  );
}

function Table({ children }: ComponentProps<'table'> & ExtraProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable to be scrolled by keyboard
    <div tabIndex={0} role="group" className="overflow-x-auto">
      <table>{children}</table>
    </div>
  );
}

function InlineCode({ children }: ComponentProps<'code'> & ExtraProps) {
  const text = textOf(children);
  if (!text.startsWith(FORMULA_MARK)) return <code>{children}</code>;
  const tex = text.slice(FORMULA_MARK.length);
  return (
    <Suspense fallback={<code>{tex}</code>}>
      <Formula tex={tex} />
    </Suspense>
  );
}

function Fence({ children }: ComponentProps<'pre'> & ExtraProps) {
  const code = isValidElement<{ className?: string; children?: ReactNode }>(children) ? children.props : { children };
  const language = /language-([\w+#.-]+)/.exec(code.className ?? '')?.[1];
  if (language === FORMULA_LANGUAGE) {
    const tex = textOf(code.children).trim();
    return (
      <Suspense fallback={<pre>{tex}</pre>}>
        <Formula tex={tex} isOwnLine />
      </Suspense>
    );
  }
  return <CodeView text={textOf(code.children).replace(/\n$/, '')} language={language} className="mt-2.5" />;
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
