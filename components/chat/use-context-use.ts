import { useMemo, useSyncExternalStore } from 'react';
import type { ContextView, TranscriptView, UsageView } from '#lib/conversations/contract.ts';
import type { ProgressStore } from './progress-store.ts';
import type { ModelCallPart } from './run-progress.ts';
import { sumStoredUsage, sumUsage } from './usage-sum.ts';

/** What the newest call of a model took of its room, and what the chat has used in all: with each call, never with each piece of text. */
export function useContextUse(store: ProgressStore, transcript: TranscriptView): { context: ContextView | null; usage: UsageView | null } {
  const stored = new Set(transcript.messages.flatMap(({ usage, runId }) => (usage ? [runId] : [])));
  const read = () => {
    const runs = store.all().filter(({ modelCalls }) => modelCalls.length > 0);
    const newest = runs.at(-1)?.modelCalls.findLast(isOfAnswer)?.context ?? null;
    const live = runs.filter(({ runId }) => !stored.has(runId)).map(({ modelCalls }) => sumUsage(modelCalls));
    return JSON.stringify({ newest, live });
  };
  const text = useSyncExternalStore(store.subscribe, read, read);
  return useMemo(() => {
    const { newest, live } = JSON.parse(text) as { newest: ContextView | null; live: (UsageView | null)[] };
    const usages = [...transcript.messages.map(({ usage }) => usage), ...live].filter((usage) => usage !== null);
    return { context: newest ?? transcript.context, usage: sumStoredUsage(usages) };
  }, [text, transcript]);
}

/** A call of the agent that answers, and not of one that it handed a task to. */
function isOfAnswer({ context, scene, path }: ModelCallPart): boolean {
  return context !== null && scene === 'answer' && /^[^/]+\/m\d+$/.test(path);
}
