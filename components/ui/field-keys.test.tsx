import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { CompositionGuard, useFieldKeys } from './field-keys.ts';

const enter = { key: 'Enter', code: 'Enter', keyCode: 13, isComposing: false, timeStamp: 1000 };

afterEach(cleanup);

describe('CompositionGuard', () => {
  it('leaves a key to the input method while it composes', () => {
    expect(new CompositionGuard().owns({ ...enter, isComposing: true })).toBe(true);
  });
  it('leaves a key with code 229 to the input method', () => {
    expect(new CompositionGuard().owns({ ...enter, key: 'Process', keyCode: 229 })).toBe(true);
  });
  it('leaves the Enter that Safari reports just after the composition has ended', () => {
    const guard = new CompositionGuard();
    guard.started();
    guard.ended(990);
    expect(guard.owns(enter)).toBe(true);
    expect(guard.owns({ ...enter, timeStamp: 1010 })).toBe(false);
  });
  it('gives a plain Enter to us at once where the ending key came before the end', () => {
    const guard = new CompositionGuard();
    guard.started();
    expect(guard.owns({ ...enter, key: 'Process', keyCode: 229, isComposing: true })).toBe(true);
    guard.ended(1001);
    expect(guard.owns({ ...enter, timeStamp: 1002 })).toBe(false);
  });
  it('gives a plain Enter to us some time after a composition that the mouse ended', () => {
    const guard = new CompositionGuard();
    guard.started();
    guard.ended(900);
    expect(guard.owns(enter)).toBe(false);
  });
});

function Probe({ onEnter, onEscape }: { onEnter: () => void; onEscape: () => void }) {
  return <textarea aria-label="probe" {...useFieldKeys({ onEnter, onEscape })} />;
}

describe('useFieldKeys', () => {
  verifies('K25', 'sends once for a plain Enter after every kind of composition, and never for Shift+Enter', () => {
    const onEnter = vi.fn();
    const onEscape = vi.fn();
    render(<Probe onEnter={onEnter} onEscape={onEscape} />);
    const field = screen.getByLabelText('probe');

    fireEvent.compositionStart(field);
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 229, isComposing: true });
    fireEvent.keyDown(field, { key: 'Escape', code: 'Escape', keyCode: 27, isComposing: true });
    fireEvent.compositionEnd(field);
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 229 });

    fireEvent.compositionStart(field);
    fireEvent.keyDown(field, { key: 'a', code: 'KeyA', keyCode: 229 });
    fireEvent.compositionEnd(field);
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });

    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13, shiftKey: true });
    expect(onEnter).not.toHaveBeenCalled();
    expect(onEscape).not.toHaveBeenCalled();

    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });
    expect(onEnter).toHaveBeenCalledTimes(1);
  });
  it('keeps the new line out of the field only when it sends', () => {
    render(<Probe onEnter={() => undefined} onEscape={() => undefined} />);
    const field = screen.getByLabelText('probe');
    const shifted = createEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13, shiftKey: true });
    fireEvent(field, shifted);
    expect(shifted.defaultPrevented).toBe(false);
    const plain = createEvent.keyDown(field, { key: 'Enter', code: 'Enter', keyCode: 13 });
    fireEvent(field, plain);
    expect(plain.defaultPrevented).toBe(true);
  });
});
