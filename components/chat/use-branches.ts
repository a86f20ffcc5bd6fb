import { useCallback, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { MessageView } from '#lib/conversations/contract.ts';
import { type BranchChoice, endOf, placesOf, shownTurns, type Turn } from './branches.ts';

interface BranchKey {
  tenantSlug: string;
  userId: string;
  sessionId: string;
}

interface Branches {
  turns: readonly Turn[];
  /** Shows the branch of a message, which may be one that the transcript does not hold yet. */
  show: (message: MessageView) => void;
  /** What a message written now follows. */
  readEnd: () => string | null;
}

/** The branch of a chat that is shown: the one last shown in this browser, else the newest. */
export function useBranches(key: BranchKey, messages: readonly MessageView[], activeRunIds: readonly string[]): Branches {
  const name = `bw-branch:${key.tenantSlug}:${key.userId}:${key.sessionId}`;
  // The server knows no choice; the page is made with the newest branch and turns to the chosen one once it is the browser's.
  const kept = useSyncExternalStore(
    neverChanges,
    () => readKept(name),
    () => '',
  );
  const [chosen, setChosen] = useState<BranchChoice | null>(null);
  const choice = useMemo(() => chosen ?? parseChoice(kept), [chosen, kept]);
  // Messages are delivered one after the other without a rendering between them, so each sees here what the one before has done.
  const latest = useRef({ messages, choice });
  useLayoutEffect(() => {
    latest.current = { messages, choice };
  }, [messages, choice]);

  const show = useCallback(
    (message: MessageView) => {
      const { messages: known, choice: before } = latest.current;
      const all = known.some(({ id }) => id === message.id) ? known : [...known, message];
      const place = placesOf(all).get(message.id);
      if (place === undefined) return;
      const next = { ...before, [place]: message.id };
      latest.current = { messages: all, choice: next };
      setChosen(next);
      keep(name, next);
    },
    [name],
  );
  const readEnd = useCallback(() => endOf(shownTurns(latest.current.messages, [], latest.current.choice)), []);
  const turns = useMemo(() => shownTurns(messages, activeRunIds, choice), [messages, activeRunIds, choice]);
  return { turns, show, readEnd };
}

const keptChoice = z.record(z.string(), z.string());

function parseChoice(kept: string): BranchChoice {
  try {
    return keptChoice.parse(JSON.parse(kept));
  } catch {
    return {};
  }
}

function readKept(name: string): string {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    // Storage may be switched off; then a choice lives as long as its page.
    return '';
  }
}

function keep(name: string, choice: BranchChoice): void {
  try {
    localStorage.setItem(name, JSON.stringify(choice));
  } catch {
    // As above, or the storage is full.
  }
}

function neverChanges(): () => void {
  return () => undefined;
}
