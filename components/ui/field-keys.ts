import { useRef } from 'react';

/** Safari ends a composition just before the keydown that ended it. */
const AFTER_COMPOSITION_MS = 50;
/** The key code browsers report for a key that an input method has taken. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Whether a key belongs to an input method (Chinese, Japanese, Korean) that is composing. The first guard of every handler of
 * keys; a text field, which also hears how a composition ends, has `useFieldKeys`.
 */
export function isTakenByInputMethod(press: { isComposing: boolean; keyCode: number }): boolean {
  return press.isComposing || press.keyCode === TAKEN_BY_INPUT_METHOD;
}

interface KeyPress {
  key: string;
  /** The physical key; on Windows an input method hides the name of a key, not its place. */
  code: string;
  keyCode: number;
  isComposing: boolean;
  timeStamp: number;
}

/**
 * Tells a key meant for us from one meant for an input method (Chinese, Japanese, Korean): the Enter that picks a
 * candidate must not send, the Escape that drops one must not stop a run. Browsers say so in three ways: `isComposing`,
 * key code 229 and, in Safari, a composition that has ended a moment before the key that ended it.
 */
export class CompositionGuard {
  #isComposing = false;
  #wasEndedByKey = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  started(): void {
    this.#isComposing = true;
    this.#wasEndedByKey = false;
  }

  /** `timeStamp` of the event, in ms. */
  ended(timeStamp: number): void {
    this.#isComposing = false;
    // Where the key came first it has been seen already, and the next one is the reader's own.
    this.#endedAt = this.#wasEndedByKey ? Number.NEGATIVE_INFINITY : timeStamp;
  }

  /** Whether the key belongs to the input method. Ask once per key. */
  owns(press: KeyPress): boolean {
    const canEnd = isEnding(press.key) || isEnding(press.code);
    if (this.#isComposing || isTakenByInputMethod(press)) {
      this.#wasEndedByKey = canEnd;
      this.#endedAt = Number.NEGATIVE_INFINITY;
      return true;
    }
    if (!canEnd) return false;
    const sinceEnd = press.timeStamp - this.#endedAt;
    this.#endedAt = Number.NEGATIVE_INFINITY;
    return sinceEnd >= 0 && sinceEnd < AFTER_COMPOSITION_MS;
  }
}

function isEnding(key: string): boolean {
  return key === 'Enter' || key === 'NumpadEnter' || key === 'Escape';
}

interface KeyHandlers {
  onEnter?: (event: React.KeyboardEvent) => void;
  onEscape?: (event: React.KeyboardEvent) => void;
  /** Asked at each plain Enter; false leaves it to the field, as a new line. */
  isEnterOurs?: () => boolean;
  /** Every other key that is meant for the field: arrows of a list below it. */
  onOther?: (event: React.KeyboardEvent) => void;
}

/** Handlers for a text field, to be spread on it: plain Enter and Escape reach the caller only when they are really meant. */
export function useFieldKeys({ onEnter, onEscape, onOther, isEnterOurs = () => true }: KeyHandlers): {
  onKeyDown: (event: React.KeyboardEvent) => void;
  onCompositionStart: () => void;
  onCompositionEnd: (event: React.CompositionEvent) => void;
} {
  const guard = useRef<CompositionGuard>(null);
  guard.current ??= new CompositionGuard();
  const current = guard.current;
  return {
    onKeyDown(event) {
      const { key, code, keyCode, timeStamp } = event;
      const press = { key, code, keyCode, timeStamp, isComposing: event.nativeEvent.isComposing };
      if (current.owns(press)) return;
      if (key === 'Enter' && !event.shiftKey && !event.altKey && onEnter && isEnterOurs()) {
        event.preventDefault();
        onEnter(event);
      }
      if (key === 'Escape' && onEscape) onEscape(event);
      if (key !== 'Enter' && key !== 'Escape') onOther?.(event);
    },
    onCompositionStart: () => current.started(),
    onCompositionEnd: (event) => current.ended(event.timeStamp),
  };
}
