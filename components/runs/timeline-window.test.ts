import { describe, expect, it } from 'vitest';
import { beginning, placeIn, showing, WHOLE, zoomed } from './timeline-window.ts';

describe('zoomed', () => {
  it('comes closer around a place, and goes back to the whole', () => {
    const close = zoomed(WHOLE, { isCloser: true, around: 0.5, shortest: 0.001 });
    expect(close).toEqual({ from: 0.25, to: 0.75 });
    expect(zoomed(close, { isCloser: false, around: 0.5, shortest: 0.001 })).toEqual(WHOLE);
    expect(zoomed(WHOLE, { isCloser: false, around: 0.1, shortest: 0.001 })).toEqual(WHOLE);
  });
  it('stays within the whole at its edges', () => {
    expect(zoomed(WHOLE, { isCloser: true, around: 0.05, shortest: 0.001 })).toEqual({ from: 0, to: 0.5 });
    expect(zoomed(WHOLE, { isCloser: true, around: 0.95, shortest: 0.001 })).toEqual({ from: 0.5, to: 1 });
  });
  it('comes no closer than is worth looking at', () => {
    expect(zoomed({ from: 0.25, to: 0.375 }, { isCloser: true, around: 0.3125, shortest: 0.125 })).toEqual({ from: 0.25, to: 0.375 });
  });
});

describe('showing', () => {
  it('moves the window to what lies outside of it, and leaves it where something of it is seen', () => {
    const window = { from: 0, to: 0.25 };
    expect(showing(window, { from: 0.2, to: 0.9 })).toBe(window);
    expect(showing(window, { from: 0.5, to: 0.5 })).toEqual({ from: 0.375, to: 0.625 });
    expect(showing(window, { from: 1, to: 1 })).toEqual({ from: 0.75, to: 1 });
  });
});

describe('placeIn', () => {
  it('is 0 at the left edge and 1 at the right', () => {
    expect([0.25, 0.5, 0.75, 1].map((part) => placeIn({ from: 0.25, to: 0.75 }, part))).toEqual([0, 0.5, 1, 1.5]);
    expect(beginning(2, 0.5)).toEqual({ from: 0.5, to: 1 });
  });
});
