/** What a key does, everywhere the same. The help is written from this table, and nothing listens for a key that is not in it. */
export interface KeyBinding {
  readonly scope: 'everywhere' | 'lists' | 'chat' | 'run' | 'writing';
  /**
   * Any of these: `K` is the letter without Shift, `Mod` is ⌘ on Apple's keyboards and Ctrl on others, `G R` is one key and
   * then the other.
   */
  readonly presses: readonly string[];
  /** Where the help names the presses in a shorter way. */
  readonly shown?: readonly string[];
  /** Also while something is being written or a dialog is open. */
  readonly isWhileWriting?: true;
  /** The platform, or the field that has the focus, answers to it; it is in the table for its reader. */
  readonly isNative?: true;
}

export const KEY_MAP = {
  palette: { scope: 'everywhere', presses: ['Mod+K'], isWhileWriting: true },
  help: { scope: 'everywhere', presses: ['?'] },
  newChat: { scope: 'everywhere', presses: ['C'] },
  goChats: { scope: 'everywhere', presses: ['G C'] },
  goMarketplace: { scope: 'everywhere', presses: ['G M'] },
  goKnowledge: { scope: 'everywhere', presses: ['G K'] },
  goInbox: { scope: 'everywhere', presses: ['G I'] },
  goRuns: { scope: 'everywhere', presses: ['G R'] },
  goActivity: { scope: 'everywhere', presses: ['G A'] },
  goSettings: { scope: 'everywhere', presses: ['G S'] },
  copyLink: { scope: 'everywhere', presses: ['Y'] },
  close: { scope: 'everywhere', presses: ['Esc'] },
  search: { scope: 'lists', presses: ['/'] },
  next: { scope: 'lists', presses: ['J'] },
  previous: { scope: 'lists', presses: ['K'] },
  open: { scope: 'lists', presses: ['Enter'], isNative: true },
  peek: { scope: 'lists', presses: ['Space'] },
  send: { scope: 'chat', presses: ['Enter'], isNative: true },
  newLine: { scope: 'chat', presses: ['Shift+Enter'], isNative: true },
  stop: { scope: 'chat', presses: ['Mod+.'], isWhileWriting: true },
  editLast: { scope: 'chat', presses: ['E'] },
  allow: { scope: 'chat', presses: ['Mod+Enter'], isWhileWriting: true },
  deny: { scope: 'chat', presses: ['Mod+Shift+Backspace'] },
  earlierBranch: { scope: 'chat', presses: ['['] },
  laterBranch: { scope: 'chat', presses: [']'] },
  preset: { scope: 'chat', presses: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], shown: ['1 – 9'] },
  nextRow: { scope: 'run', presses: ['↓'] },
  previousRow: { scope: 'run', presses: ['↑'] },
  openRow: { scope: 'run', presses: ['→'] },
  closeRow: { scope: 'run', presses: ['←'] },
  nextFailure: { scope: 'run', presses: ['F'] },
  zoomIn: { scope: 'run', presses: ['+', '='], shown: ['+'] },
  zoomOut: { scope: 'run', presses: ['-'] },
  zoomFit: { scope: 'run', presses: ['0'] },
  save: { scope: 'writing', presses: ['Mod+S'], isWhileWriting: true },
} as const satisfies Record<string, KeyBinding>;

export type KeyId = keyof typeof KEY_MAP;

export const KEY_IDS = Object.keys(KEY_MAP) as KeyId[];
export const KEY_SCOPES = ['everywhere', 'lists', 'chat', 'run', 'writing'] as const satisfies readonly KeyBinding['scope'][];

export function bindingOf(id: KeyId): KeyBinding {
  return KEY_MAP[id];
}
