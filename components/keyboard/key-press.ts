import { isTakenByInputMethod } from '#components/ui/field-keys.ts';
import { bindingOf, KEY_IDS, type KeyId } from './key-map.ts';

/** What of a keyboard event decides which key it is. */
export type Press = Pick<KeyboardEvent, 'key' | 'code' | 'keyCode' | 'isComposing' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>;

/** Where a press happens. */
export interface PressPlace {
  /** What has the focus takes text, or a dialog or menu stands over the page. */
  isWriting: boolean;
  /** The key before, while it may still begin a pair: "G". */
  prefix: string | null;
  /** Whether ⌘ is this keyboard's `Mod`. */
  isApple: boolean;
}

/** First keys of pairs. */
const PREFIXES = new Set(
  KEY_IDS.flatMap((id) =>
    bindingOf(id)
      .presses.filter((press) => press.includes(' '))
      .map(firstOf),
  ),
);

/** Keys whose name in the map is not what they write. */
const NAMED: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
  Escape: 'Esc',
};

/** Keys that are bound together with Mod only: alone they are the platform's. */
const CHORD_KEYS: ReadonlySet<string> = new Set(['Enter', 'Backspace']);

/** Decides what a press means: a binding, the first key of a pair, or nothing of ours. */
export function decidePress(press: Press, place: PressPlace): { id: KeyId } | { prefix: string } | null {
  if (isTakenByInputMethod(press)) return null;
  const name = nameOf(press, place.isApple);
  if (name === null) return null;
  const wanted = place.prefix === null ? name : `${place.prefix} ${name}`;
  const id = KEY_IDS.find((known) => {
    const { presses, isNative, isWhileWriting } = bindingOf(known);
    return isNative !== true && presses.includes(wanted) && (isWhileWriting === true || !place.isWriting);
  });
  if (id) return { id };
  return place.prefix === null && !place.isWriting && PREFIXES.has(name) ? { prefix: name } : null;
}

/** Whether what has the focus takes what is typed. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type=radio],[type=checkbox]),textarea,select,[contenteditable]') !== null;
}

/** A press by the name it has in the key map; null for what is in no map: a modifier alone, a chord of others. */
function nameOf(press: Press, isApple: boolean): string | null {
  if (press.altKey || press.key === 'Dead' || press.key === 'Unidentified') return null;
  if (CHORD_KEYS.has(press.key)) {
    const isChord = isApple ? press.metaKey && !press.ctrlKey : press.ctrlKey || press.metaKey;
    return isChord ? ['Mod', ...(press.shiftKey ? ['Shift'] : []), press.key].join('+') : null;
  }
  const key = NAMED[press.key] ?? characterOf(press);
  if (key.length !== 1 && !(press.key in NAMED)) return null;
  if (press.metaKey || press.ctrlKey) {
    const isMod = isApple ? press.metaKey && !press.ctrlKey : true;
    return isMod && !press.shiftKey ? `Mod+${key.toUpperCase()}` : null;
  }
  // Where a sign stands on a keyboard is its own affair; a letter with Shift is another key.
  return /^[a-z]$/i.test(key) ? (press.shiftKey ? null : key.toUpperCase()) : key;
}

/** On keyboards of other scripts the place of a key stands for its Latin letter. */
function characterOf({ key, code }: Press): string {
  if (/^[\u0021-\u007e]$/.test(key)) return key;
  return /^Key([A-Z])$/.exec(code)?.[1] ?? key;
}

function firstOf(pair: string): string {
  return pair.split(' ')[0] ?? '';
}
