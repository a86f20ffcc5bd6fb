'use client';

import { PencilIcon, PinIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { memo, useCallback, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { joinClasses } from '#components/ui/join-classes.ts';
import { Time } from '#components/ui/time.tsx';
import type { CompactionView, MessageView } from '#lib/conversations/contract.ts';
import type { RunSummaryView } from '#lib/supervisor/contract.ts';
import { Answer } from './answer.tsx';
import { BranchSwitch } from './branch-switch.tsx';
import type { Turn } from './branches.ts';
import { EditMessage } from './edit-message.tsx';
import { hasChinese } from './markdown.tsx';
import type { ProgressStore } from './progress-store.ts';
import type { Pins } from './use-pins.ts';

interface TurnViewProps {
  turn: Turn;
  tenantSlug: string;
  store: ProgressStore;
  summaries: ReadonlyMap<string, RunSummaryView>;
  queuePlaces: ReadonlyMap<string, number>;
  /** What had no room in the model when its message was answered. */
  compactions: readonly CompactionView[] | undefined;
  /** Given to turns that show what may be pinned. */
  pins: Pins['byRun'] | undefined;
  onPin: Pins['toggle'];
  canWrite: boolean;
  isPinned: boolean;
  /** Far enough up that the browser may leave it unpainted. */
  isSettled: boolean;
  retryingRunId: string | null;
  onRetry: (asked: MessageView) => void;
  /** Sends the message anew, as a branch. */
  onEdit: (edited: MessageView, text: string) => void;
  /** Shows the branch of a sibling. */
  onShow: (messageId: string) => void;
}

/** A message and its answer; its siblings stay one step away. */
export const TurnView = memo(function TurnView(props: TurnViewProps) {
  const { turn, isPinned, isSettled, canWrite, onRetry, onEdit, onPin } = props;
  const { message, answer, siblings } = turn;
  const [editedId, setEditedId] = useState<string | null>(null);
  const retry = useCallback(() => onRetry(message), [onRetry, message]);
  const stopEditing = () => setEditedId(null);
  return (
    <article id={message.id} className={joinClasses('scroll-mt-3 pb-8', isPinned && 'turn-pinned', isSettled && 'turn-settled')}>
      {editedId === message.id ? (
        <EditMessage
          text={message.text}
          onCancel={stopEditing}
          onSend={(text) => {
            stopEditing();
            onEdit(message, text);
          }}
        />
      ) : (
        <Said
          text={message.text}
          at={message.createdAt}
          onEdit={canWrite ? () => setEditedId(message.id) : undefined}
          isKept={message.isPinned}
          onKeep={canWrite ? () => onPin(message.id, !message.isPinned) : undefined}
        />
      )}
      {siblings.length > 1 ? <BranchSwitch siblings={siblings} shown={message.id} onShow={props.onShow} /> : null}
      {answer ? (
        <div className="mt-1">
          <Answer
            key={answer.runId}
            tenantSlug={props.tenantSlug}
            runId={answer.runId}
            message={answer.message}
            summary={props.summaries.get(answer.runId)}
            store={props.store}
            compactions={props.compactions}
            pins={canWrite ? props.pins : undefined}
            queuePlace={props.queuePlaces.get(answer.runId) ?? 0}
            canWrite={canWrite}
            isRetrying={props.retryingRunId === answer.runId}
            onRetry={retry}
          />
        </div>
      ) : null}
    </article>
  );
});

/** What the person wrote, as they wrote it. */
export function Said({
  text,
  at,
  note,
  onEdit,
  isKept = false,
  onKeep,
}: {
  text: string;
  at: string | null;
  note?: React.ReactNode;
  onEdit?: (() => void) | undefined;
  /** Its exchange is kept word for word when others are summarised. */
  isKept?: boolean;
  onKeep?: (() => void) | undefined;
}) {
  const t = useTranslations('chat.turn');
  return (
    <div className="group/said flex items-start gap-3 border-s-2 border-primary py-0.5 ps-3">
      <h2 className="sr-only">{t('you')}</h2>
      <p className="said min-w-0 flex-1 font-medium whitespace-pre-wrap" lang={hasChinese(text) ? 'zh-CN' : undefined}>
        {text}
      </p>
      <div className="flex shrink-0 items-center gap-1 text-meta text-muted-foreground">
        {onEdit ? (
          <Button
            look="quiet"
            size="squareSmall"
            onClick={onEdit}
            data-edit=""
            aria-label={t('edit')}
            title={t('edit')}
            className="-my-1 opacity-0 group-hover/said:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
          >
            <PencilIcon aria-hidden />
          </Button>
        ) : null}
        {onKeep ? (
          <Button
            look="quiet"
            size="squareSmall"
            onClick={onKeep}
            aria-pressed={isKept}
            aria-label={t('keep')}
            title={t(isKept ? 'kept' : 'keep')}
            className={joinClasses(
              '-my-1 focus-visible:opacity-100 pointer-coarse:opacity-100',
              isKept ? 'text-primary' : 'opacity-0 group-hover/said:opacity-100',
            )}
          >
            <PinIcon aria-hidden className={isKept ? 'fill-current' : undefined} />
          </Button>
        ) : null}
        <CopyButton
          value={text}
          label={t('copyMessage')}
          className="-my-1 opacity-0 group-hover/said:opacity-100 focus-visible:opacity-100 pointer-coarse:hidden"
        />
        {note}
        {at === null ? null : <Time at={at} look="clock" />}
      </div>
    </div>
  );
}
