import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { useReadingPosition } from './use-reading-position.ts';

let grow: (height: number) => void = () => undefined;

/** jsdom lays nothing out: heights are what the test says, and the observer tells of them when told. */
beforeEach(() => {
  let contentHeight = 1000;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: () => void;
      constructor(tell: () => void) {
        this.#tell = tell;
      }
      observe() {
        grow = (height) => {
          contentHeight = height;
          act(() => this.#tell());
        };
      }
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(() => contentHeight);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(() => contentHeight);
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Page() {
  const { scrollerRef, contentRef, isAtEnd, hasNewText, goToEnd } = useReadingPosition();
  return (
    <div ref={scrollerRef} data-testid="scroller">
      <div ref={contentRef} />
      {isAtEnd ? null : <button onClick={goToEnd}>{hasNewText ? 'new text' : 'to the end'}</button>}
    </div>
  );
}

function scrollTo(top: number): HTMLElement {
  const scroller = screen.getByTestId('scroller');
  scroller.scrollTop = top;
  fireEvent.scroll(scroller);
  return scroller;
}

verifies('K27', 'leaves the view where the reader put it while text grows below, and follows only when asked', () => {
  render(<Page />);
  const scroller = scrollTo(100);
  for (let height = 1100; height <= 3000; height += 100) grow(height);
  expect(scroller.scrollTop).toBe(100);
  fireEvent.click(screen.getByRole('button', { name: 'new text' }));
  expect(scroller.scrollTop).toBe(3000);
  grow(3500);
  expect(scroller.scrollTop).toBe(3500);
  // One movement of the reader ends the following.
  scrollTo(1200);
  grow(4000);
  expect(scroller.scrollTop).toBe(1200);
});

verifies('K27', 'does not begin to follow because the reader is at the end', () => {
  render(<Page />);
  const scroller = scrollTo(600);
  expect(screen.queryByRole('button')).toBeNull();
  grow(2000);
  expect(scroller.scrollTop).toBe(600);
  expect(screen.getByRole('button', { name: 'new text' })).toBeTruthy();
});
