import { createElement, type ReactNode } from 'react';
import { type MathNode, readTex } from './read-tex.ts';

/** A formula, set by the browser itself: MathML needs neither fonts nor styles of ours. TeX that is not understood is shown as it is. */
export default function Formula({ tex, isOwnLine = false }: { tex: string; isOwnLine?: boolean }) {
  const node = readTex(tex);
  if (!node) return <code>{tex}</code>;
  const formula = createElement('math', { display: isOwnLine ? 'block' : 'inline' }, toElement(node, 0));
  // The span is what React hides while its neighbours load.
  if (!isOwnLine) return <span>{formula}</span>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable to be scrolled by keyboard
    <div tabIndex={0} role="group" aria-label={tex} className="mt-2.5 overflow-x-auto py-1">
      {formula}
    </div>
  );
}

function toElement({ tag, attributes = {}, children }: MathNode, key: number): ReactNode {
  return createElement(
    tag,
    { key, ...attributes },
    ...children.map((child, index) => (typeof child === 'string' ? child : toElement(child, index))),
  );
}
