'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FailureNotice } from '#components/api/failure-notice.tsx';
import { type RequestFailure, requestDone, toRequestFailure } from '#components/api/request.ts';
import { Button } from '#components/ui/button.tsx';
import { useFieldKeys } from '#components/ui/field-keys.ts';
import { Input } from '#components/ui/input.tsx';
import { StateGlyph } from '#components/ui/state-glyph.tsx';
import type { QuestionView } from '#lib/supervisor/contract.ts';

const OTHER = '__other';

/** A run's question to the person. Only an answer wakes the run; once given it stays, with the question. */
export function QuestionCard({ question, runApiPath, canAnswer }: { question: QuestionView; runApiPath: string; canAnswer: boolean }) {
  const t = useTranslations('chat.question');
  const [choice, setChoice] = useState<string | null>(question.options.length === 0 ? OTHER : null);
  const [text, setText] = useState('');
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<RequestFailure | null>(null);
  const answer = choice === OTHER ? text.trim() : choice;
  const send = async () => {
    if (!answer || isSending) return;
    setIsSending(true);
    setFailure(null);
    try {
      await requestDone(`${runApiPath}/answer`, { method: 'POST', body: { questionId: question.id, answer } });
    } catch (thrown) {
      setFailure(toRequestFailure(thrown));
      setIsSending(false);
    }
  };
  const keys = useFieldKeys({ onEnter: () => void send() });
  if (question.state !== 'OPEN') {
    const label = question.options.find(({ value }) => value === question.answer)?.label ?? question.answer;
    return (
      <div className="border-s-2 border-border py-1 ps-3 text-ui text-muted-foreground">
        <p>{question.text}</p>
        <p className="text-foreground">{question.state === 'ANSWERED' ? t('answered', { answer: label ?? '' }) : t('withdrawn')}</p>
      </div>
    );
  }
  return (
    <form
      aria-label={t('label')}
      className="rounded-card border border-waiting bg-card p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <fieldset disabled={!canAnswer || isSending} className="flex flex-col gap-2">
        <legend className="mb-2 flex items-start gap-2 text-chat font-medium">
          <StateGlyph tone="waiting" className="mt-1.5" />
          {question.text}
        </legend>
        {question.options.map((option) => (
          <label key={option.value} className="touchable flex min-h-8 items-center gap-2.5 text-ui">
            <input
              type="radio"
              name="answer"
              value={option.value}
              checked={choice === option.value}
              onChange={() => setChoice(option.value)}
              className="size-3.5 accent-primary"
            />
            {option.label}
          </label>
        ))}
        {question.options.length > 0 ? (
          <label className="touchable flex min-h-8 items-center gap-2.5 text-ui">
            <input
              type="radio"
              name="answer"
              value={OTHER}
              checked={choice === OTHER}
              onChange={() => setChoice(OTHER)}
              className="size-3.5 accent-primary"
            />
            {t('other')}
          </label>
        ) : null}
        {choice === OTHER ? (
          <Input aria-label={t('other')} value={text} onChange={(event) => setText(event.target.value)} maxLength={4000} {...keys} />
        ) : null}
        {failure ? <FailureNotice failure={failure} /> : null}
        <div className="mt-1">
          <Button type="submit" look="primary" disabled={!answer || isSending}>
            {isSending ? t('sending') : t('send')}
          </Button>
        </div>
      </fieldset>
    </form>
  );
}
