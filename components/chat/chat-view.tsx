'use client';

import { ArrowDownIcon } from 'lucide-react';
import { useLocale, useTranslations } from 'next-intl';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { useKeys } from '#components/keyboard/use-keys.ts';
import { useCan, useMe } from '#components/shell/me-scope.tsx';
import { Button } from '#components/ui/button.tsx';
import { LiveRegion } from '#components/ui/live-region.tsx';
import type { MessageView, SendMessageResult, TranscriptView } from '#lib/conversations/contract.ts';
import type { RunSummaryView } from '#lib/supervisor/contract.ts';
import { turnsBefore } from './branches.ts';
import { ChatHead } from './chat-head.tsx';
import { Composer, type ComposerHandle } from './composer.tsx';
import { ContextMeter } from './context-meter.tsx';
import { isNearlyFull } from './context-use.ts';
import { keepDraft, readDraft } from './draft.ts';
import { prefetchMarkdown } from './markdown.tsx';
import { OutgoingTurn } from './outgoing-turn.tsx';
import { ProgressStore } from './progress-store.ts';
import { type RunProgress } from './run-progress.ts';
import { sendMessage } from './send-message.ts';
import { announceSession } from './session-news.ts';
import { Suggestions } from './suggestions.tsx';
import { TurnView } from './turn-view.tsx';
import { useAnnouncements } from './use-announcements.ts';
import { useBranchKeys } from './use-branch-keys.ts';
import { useBranches } from './use-branches.ts';
import { useContextUse } from './use-context-use.ts';
import { useFollowedRuns } from './use-followed-runs.ts';
import { useOutbox } from './use-outbox.ts';
import { usePins } from './use-pins.ts';
import { useStandings } from './use-progress.ts';
import { useReadingPosition } from './use-reading-position.ts';
import { useRunActions } from './use-run-actions.ts';
import { useStandingNews } from './use-standing-news.ts';
import { useTabTitle } from './use-tab-title.ts';
import { useTranscript } from './use-transcript.ts';

/** Turns from this many before the last on are left unpainted while out of view. */
const PAINTED_TURNS = 4;

interface ChatViewProps {
  initial: TranscriptView;
  /** Where the runs under way stood when the page was made. */
  progress: readonly RunProgress[];
  /** Figures of the runs that had ended by then. */
  summaries: readonly RunSummaryView[];
  presetName: string;
  /** The model that a run would use now; null for none. */
  model: string | null;
  /** When the server read all this (epoch ms). */
  readAt: number;
}

/** A chat: what was said, what is being answered, and where the next message is written. */
export function ChatView({ initial, progress, summaries, presetName, model, readAt }: ChatViewProps) {
  const t = useTranslations('chat');
  const locale = useLocale();
  const { tenant, user } = useMe();
  const mayWrite = useCan('conversation:write');
  const { transcript, amend } = useTranscript(tenant.slug, initial, readAt);
  const [store] = useState(() => new ProgressStore(progress));
  const [started, setStarted] = useState<readonly string[]>([]);
  const [pinnedKey, setPinnedKey] = useState<string | null>(null);
  const [pinRequest, setPinRequest] = useState(0);
  const composer = useRef<ComposerHandle>(null);
  const { scrollerRef, contentRef, isAtEnd, hasNewText, goToEnd, pin } = useReadingPosition();
  const sessionId = transcript.session.id;
  // What was begun here, and what the server names besides: another tab's, another device's.
  const followed = useMemo(() => [...new Set([...transcript.activeRunIds, ...started])], [started, transcript.activeRunIds]);
  const { turns, show, readEnd } = useBranches({ tenantSlug: tenant.slug, userId: user.id, sessionId }, transcript.messages, followed);
  const isOwn = transcript.session.ownerId === user.id;
  const canWrite = mayWrite && isOwn && !transcript.session.isArchived;
  const draftKey = { tenantSlug: tenant.slug, userId: user.id, sessionId };

  const news = useCallback(() => announceSession({ tenantSlug: tenant.slug, sessionId }), [tenant.slug, sessionId]);
  const begin = useCallback((runId: string) => setStarted((known) => [...known, runId]), []);
  /** Takes up a run that the server has just accepted, with its message. */
  const join = useCallback(
    ({ runId, messageId }: SendMessageResult, text: string, parentId: string | null) => {
      const createdAt = new Date().toISOString();
      const message: MessageView = {
        id: messageId,
        parentId,
        role: 'user',
        runId,
        text,
        state: 'complete',
        createdAt,
        isPinned: false,
        usage: null,
      };
      store.open(runId, messageId);
      begin(runId);
      show(message);
      amend((before) =>
        before.messages.some(({ id }) => id === messageId) ? before : { ...before, messages: [...before.messages, message] },
      );
      news();
    },
    [store, begin, show, amend, news],
  );
  const onRetried = useCallback(
    (result: SendMessageResult, asked: MessageView) => {
      setPinnedKey(result.messageId);
      setPinRequest((count) => count + 1);
      join(result, asked.text, asked.parentId);
    },
    [join],
  );
  const { stop, stopping, retry, retrying, failure } = useRunActions(tenant.slug, onRetried);
  const outbox = useOutbox({
    deliver: async ({ key, text, beside }) => {
      const parentId = beside ? beside.parentId : readEnd();
      return { ...(await sendMessage({ tenantSlug: tenant.slug, sessionId, text, parentId, locale, idempotencyKey: key })), parentId };
    },
    onDelivered({ text }, result) {
      setPinnedKey(result.messageId);
      if (readDraft(draftKey) === text) keepDraft(draftKey, '');
      join(result, text, result.parentId);
    },
    onArrivedBefore: news,
  });
  const { send } = outbox;
  const ask = (text: string) => {
    send(text);
    setPinRequest((count) => count + 1);
  };
  const edit = useCallback(
    ({ id, parentId }: MessageView, text: string) => {
      send(text, { id, parentId });
      setPinRequest((count) => count + 1);
    },
    [send],
  );

  useEffect(() => prefetchMarkdown(), []);
  // A run may have ended on the way to this page, after the list beside it was read.
  useEffect(() => news(), [news]);
  useFollowedRuns(store, followed);

  const standings = useStandings(store, followed);
  useStandingNews(standings, news);
  const open = useMemo(() => standings.filter(({ isOver }) => !isOver), [standings]);
  const running = open[0];
  const edited = outbox.messages.find(({ beside }) => beside !== null)?.beside;
  const shownTurns = edited ? turnsBefore(turns, edited.id) : turns;
  const showById = useCallback(
    (messageId: string) => {
      const message = transcript.messages.find(({ id }) => id === messageId);
      if (message) show(message);
    },
    [transcript.messages, show],
  );
  useBranchKeys(shownTurns, showById);
  const queuePlaces = useMemo(() => new Map(open.map(({ runId }, place) => [runId, place])), [open]);
  const summaryByRun = useMemo(() => new Map(summaries.map((summary) => [summary.id, summary])), [summaries]);
  const pins = usePins(tenant.slug, transcript, amend);
  const { context, usage } = useContextUse(store, transcript);
  const compactionsByRun = useMemo(() => Map.groupBy(transcript.compactions, ({ runId }) => runId), [transcript.compactions]);
  const hasLeft = (runId: string | undefined) =>
    runId !== undefined && (compactionsByRun.has(runId) || (store.get(runId)?.compactions.length ?? 0) > 0);
  const waiting = open.find(({ needsPerson }) => needsPerson);
  useTabTitle(waiting ? 'waiting' : running ? 'running' : null);

  useKeys({
    stop: running ? () => stop(running.runId) : null,
    // Each turn has its own button for it; the key presses the last one.
    editLast: () => [...(contentRef.current?.querySelectorAll<HTMLElement>('[data-edit]') ?? [])].at(-1)?.click(),
  });

  // The view moves when its reader sends something, and for nothing else.
  useEffect(() => {
    if (pinRequest === 0) return;
    const element = scrollerRef.current?.querySelector('[data-newest]');
    if (element) pin(element);
  }, [pinRequest, scrollerRef, pin]);

  // Whoever looks at a chat of the demo for the first time is told what else to ask.
  const isFirstLook = tenant.isDemo && canWrite && running === undefined && shownTurns.length === 1 && outbox.messages.length === 0;
  const announcement = useAnnouncements(store);
  return (
    <>
      <ChatHead session={transcript.session} presetName={presetName} model={model} onChanged={news} />
      <div className="reading-frame relative min-h-0 flex-1">
        <div ref={scrollerRef} className="absolute inset-0 overflow-y-auto overscroll-contain">
          <div ref={contentRef} className="mx-auto w-full max-w-[calc(72ch+2rem)] px-4 pt-4">
            <div role="log" aria-live="off" aria-label={t('log')}>
              {shownTurns.map((turn, index) => {
                const isNewest = index === shownTurns.length - 1 && outbox.messages.length === 0;
                return (
                  <div key={turn.siblings[0]} {...(isNewest ? { 'data-newest': '', className: 'scroll-start-here' } : {})}>
                    <TurnView
                      turn={turn}
                      tenantSlug={tenant.slug}
                      store={store}
                      summaries={summaryByRun}
                      queuePlaces={queuePlaces}
                      compactions={turn.answer ? compactionsByRun.get(turn.answer.runId) : undefined}
                      pins={hasLeft(turn.answer?.runId) ? pins.byRun : undefined}
                      onPin={pins.toggle}
                      canWrite={canWrite}
                      isPinned={isNewest && pinnedKey !== null}
                      isSettled={index < shownTurns.length - PAINTED_TURNS}
                      retryingRunId={retrying}
                      onRetry={retry}
                      onEdit={edit}
                      onShow={showById}
                    />
                  </div>
                );
              })}
              {outbox.messages.map((message, index) => (
                <div key={message.key} {...(index === outbox.messages.length - 1 ? { 'data-newest': '' } : {})}>
                  <OutgoingTurn
                    message={message}
                    isPinned={index === outbox.messages.length - 1}
                    onAgain={() => outbox.sendAgain(message)}
                    onEdit={() => {
                      outbox.withdraw(message);
                      composer.current?.restore(message.text);
                    }}
                  />
                </div>
              ))}
            </div>
            {isFirstLook ? (
              <div className="pb-8">
                <Suggestions onAsk={ask} isDisabled={false} />
              </div>
            ) : null}
          </div>
        </div>
        {isAtEnd ? null : (
          <Button
            size="small"
            onClick={goToEnd}
            className="absolute bottom-2 left-1/2 -translate-x-1/2 rounded-full bg-card shadow-floating"
          >
            <ArrowDownIcon aria-hidden />
            {hasNewText && running ? t('newText') : t('toEnd')}
          </Button>
        )}
      </div>
      <div className="safe-bottom mx-auto w-full max-w-[calc(72ch+2rem)] shrink-0 px-4 pt-2">
        {failure ? <FailureNotice failure={failure} className="mb-2" /> : null}
        {pins.failure ? <FailureNotice failure={pins.failure} className="mb-2" /> : null}
        {canWrite && context && isNearlyFull(context) ? (
          <p role="status" className="pb-1.5 text-meta text-warn">
            {t('meter.full')}
          </p>
        ) : null}
        {canWrite ? (
          <Composer
            ref={composer}
            draftKey={draftKey}
            placeholder={
              waiting ? t('composer.placeholderQuestion') : running ? t('composer.placeholderRunning') : t('composer.placeholder')
            }
            onSend={ask}
            onStop={running ? () => stop(running.runId) : undefined}
            meter={context ? <ContextMeter context={context} usage={usage} sessionId={transcript.session.id} /> : null}
            isStopping={running !== undefined && stopping === running.runId}
            isAutoFocused
          />
        ) : (
          <p className="rounded-card border border-border bg-sunken px-3 py-2.5 text-ui text-muted-foreground">
            {transcript.session.isArchived && isOwn ? t('readOnly.archived') : isOwn ? t('readOnly.role') : t('readOnly.other')}
          </p>
        )}
      </div>
      <LiveRegion text={announcement} />
    </>
  );
}
