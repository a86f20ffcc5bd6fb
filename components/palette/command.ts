import type { LucideIcon } from 'lucide-react';
import type { KeyId } from '#components/keyboard/key-map.ts';

export const COMMAND_GROUPS = ['go', 'chats', 'runs', 'actions'] as const;

/** One thing the palette can do. */
export interface Command {
  /** Unique in the palette. */
  id: string;
  group: (typeof COMMAND_GROUPS)[number];
  label: string;
  /** Where it belongs, or what it is now: shown beside the label. */
  note?: string;
  /** Found by these too, whatever the language of the interface. */
  keywords?: string;
  lang?: string;
  icon: LucideIcon;
  /** One of many of its kind: not offered before something is typed. */
  isFoundOnly?: true;
  /** The key that does the same without the palette. */
  keyId?: KeyId;
  run: () => void;
}

/** The commands that a query means, best first within their group; for none, those worth offering. Every word must be found. */
export function matchCommands(commands: readonly Command[], query: string): Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands.filter(({ isFoundOnly }) => isFoundOnly !== true);
  const scored = commands.map((command) => ({ command, score: scoreOf(command, words) })).filter(({ score }) => score > 0);
  scored.sort((a, b) => COMMAND_GROUPS.indexOf(a.command.group) - COMMAND_GROUPS.indexOf(b.command.group) || b.score - a.score);
  return scored.map(({ command }) => command);
}

function scoreOf({ label, keywords = '' }: Command, words: readonly string[]): number {
  const text = label.toLowerCase();
  const besides = keywords.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at === 0) sum += 4;
    else if (at > 0) sum += /[\s\p{P}]/u.test(text[at - 1] ?? '') ? 3 : 2;
    else if (besides.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}
