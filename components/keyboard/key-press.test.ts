import { describe, expect, it } from 'vitest';
import { decidePress, type Press, type PressPlace } from './key-press.ts';

const press = (key: string, also: Partial<Press> = {}): Press => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
  keyCode: 0,
  isComposing: false,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  ...also,
});
const place = (also: Partial<PressPlace> = {}): PressPlace => ({ isWriting: false, prefix: null, isApple: false, ...also });

describe('decidePress', () => {
  it('finds a letter, a sign and a chord', () => {
    expect(decidePress(press('c'), place())).toEqual({ id: 'newChat' });
    expect(decidePress(press('?', { shiftKey: true }), place())).toEqual({ id: 'help' });
    expect(decidePress(press('k', { ctrlKey: true }), place())).toEqual({ id: 'palette' });
    expect(decidePress(press('7'), place())).toEqual({ id: 'preset' });
    expect(decidePress(press('ArrowDown'), place())).toEqual({ id: 'nextRow' });
    expect(decidePress(press(' '), place())).toEqual({ id: 'peek' });
    expect(decidePress(press('Escape'), place())).toEqual({ id: 'close' });
    expect(decidePress(press('Escape'), place({ isWriting: true }))).toBeNull();
    expect(decidePress(press('+', { shiftKey: true }), place())).toEqual({ id: 'zoomIn' });
  });
  it('takes a pair together, so that its second key does not do what it does alone', () => {
    expect(decidePress(press('g'), place())).toEqual({ prefix: 'G' });
    expect(decidePress(press('c'), place({ prefix: 'G' }))).toEqual({ id: 'goChats' });
    expect(decidePress(press('j'), place({ prefix: 'G' }))).toBeNull();
  });
  it('leaves letters to whoever is writing, but not chords', () => {
    expect(decidePress(press('c'), place({ isWriting: true }))).toBeNull();
    expect(decidePress(press('g'), place({ isWriting: true }))).toBeNull();
    expect(decidePress(press('k', { ctrlKey: true }), place({ isWriting: true }))).toEqual({ id: 'palette' });
  });
  it('leaves every key to an input method that is composing, by either of the signs browsers give', () => {
    for (const sign of [{ isComposing: true }, { keyCode: 229 }]) {
      expect(decidePress(press('c', sign), place())).toBeNull();
      expect(decidePress(press('k', { ctrlKey: true, ...sign }), place())).toBeNull();
    }
  });
  it('knows a letter by its place on keyboards of other scripts', () => {
    expect(decidePress(press('с', { code: 'KeyC' }), place())).toEqual({ id: 'newChat' });
  });
  it('leaves the chords of the browser and of the system alone', () => {
    expect(decidePress(press('c', { ctrlKey: true }), place())).toBeNull();
    expect(decidePress(press('c', { altKey: true }), place())).toBeNull();
    expect(decidePress(press('C', { shiftKey: true }), place())).toBeNull();
    // On Apple's keyboards Ctrl and K delete to the end of the line.
    expect(decidePress(press('k', { ctrlKey: true }), place({ isApple: true }))).toBeNull();
    expect(decidePress(press('k', { metaKey: true }), place({ isApple: true }))).toEqual({ id: 'palette' });
  });
});
