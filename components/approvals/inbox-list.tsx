'use client';

import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestJson, toRequestFailure } from '#components/api/request.ts';
import { QuestionCard } from '#components/chat/question-card.tsx';
import { useMe } from '#components/shell/me-scope.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Section } from '#components/ui/section.tsx';
import { TimeAgo } from '#components/ui/time.tsx';
import type { PluginRequestView } from '#lib/plugins/contract.ts';
import { type InboxView, inboxView } from '#lib/supervisor/contract.ts';
import { ApprovalCard } from './approval-card.tsx';
import { followInbox } from './inbox-news.ts';

const ASK_AGAIN_MS = 15_000;

/** Everything that waits for the reader. What they have dealt with stays in its place until they leave. */
export function InboxList({ initial, requests }: { initial: InboxView; requests: readonly PluginRequestView[] }) {
  const t = useTranslations('approvals.inbox');
  const locale = useLocale();
  const { tenant } = useMe();
  const [inbox, setInbox] = useState(initial);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const dealtWith = useRef(new Map<string, InboxView['approvals'][number]>());
  useEffect(() => {
    const abort = new AbortController();
    const ask = async () => {
      try {
        const read = await requestJson(`/api/t/${tenant.slug}/inbox`, inboxView, { signal: abort.signal });
        setFailure(null);
        const kept = [...dealtWith.current.values()].filter(({ id }) => !read.approvals.some((approval) => approval.id === id));
        setInbox({ ...read, approvals: [...kept, ...read.approvals].sort((a, b) => (a.id < b.id ? -1 : 1)) });
      } catch (thrown) {
        if (!abort.signal.aborted) setFailure(toRequestFailure(thrown));
      }
    };
    const stop = followInbox(() => void ask(), ASK_AGAIN_MS);
    return () => {
      abort.abort();
      stop();
    };
  }, [tenant.slug]);

  const { approvals, questions, count } = inbox;
  const shown = approvals.filter(({ state }) => state === 'OPEN').length + questions.length;
  const chat = (item: { sessionId: string; sessionTitle: string; isOwn?: boolean }) =>
    item.isOwn === false ? (
      item.sessionTitle || t('untitled')
    ) : (
      <Link href={`/${tenant.slug}/chat/${item.sessionId}`} className="text-primary underline underline-offset-2">
        {item.sessionTitle || t('untitled')}
      </Link>
    );
  return (
    <div className="flex flex-col gap-8">
      {failure ? <FailureNotice failure={failure} /> : null}
      {approvals.length + questions.length + requests.length === 0 ? (
        <EmptyState title={t('empty')} example={t('emptyExample')}>
          {t('emptyWhat')}
        </EmptyState>
      ) : null}
      {approvals.length > 0 ? (
        <Section title={t('approvals')}>
          <ul className="flex flex-col gap-3">
            {approvals.map((approval) => (
              <li key={approval.id}>
                <ApprovalCard
                  approval={approval}
                  place={chat(approval)}
                  onDecided={(decided) => dealtWith.current.set(decided.id, { ...approval, ...decided })}
                />
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      {questions.length > 0 ? (
        <Section title={t('questions')}>
          <ul className="flex flex-col gap-4">
            {questions.map((question) => (
              <li key={question.id} className="flex flex-col gap-1.5">
                <p className="text-meta text-muted-foreground">
                  {chat(question)} · <TimeAgo at={question.createdAt} />
                </p>
                <QuestionCard question={question} runApiPath={`/api/t/${tenant.slug}/runs/${question.runId}`} canAnswer />
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      {count > shown && shown > 0 ? <p className="text-meta text-muted-foreground">{t('more', { shown, count })}</p> : null}
      {requests.length > 0 ? (
        <Section title={t('requests')}>
          <ul className="flex flex-col">
            {requests.map((request) => (
              <li
                key={request.id}
                className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-border py-2 text-ui last:border-b-0"
              >
                <span className="min-w-0 flex-1">{t('request', { name: request.requester.name, plugin: request.pluginName[locale] })}</span>
                <span className="text-meta text-muted-foreground">
                  <TimeAgo at={request.createdAt} />
                </span>
                <Link href={`/${tenant.slug}/marketplace/${request.pluginId}`} className="text-primary underline underline-offset-2">
                  {t('openRequest')}
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </div>
  );
}
