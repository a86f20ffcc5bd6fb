'use client';

import { useFormatter, useLocale, useNow, useTimeZone } from 'next-intl';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/** An instant in the reader's zone and language; its title says it in UTC. `at` is ISO 8601. */
export function Time({ at, look = 'moment' }: { at: string; look?: 'moment' | 'clock' | 'precise' | 'day' }) {
  const format = useFormatter();
  const date = new Date(at);
  const text =
    look === 'clock'
      ? format.dateTime(date, { hour: 'numeric', minute: '2-digit' })
      : look === 'precise'
        ? format.dateTime(date, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' })
        : look === 'day'
          ? format.dateTime(date, { dateStyle: 'medium' })
          : format.dateTime(date, {
              year: 'numeric',
              month: 'short',
              day: 'numeric',
              hour: '2-digit',
              minute: '2-digit',
              second: '2-digit',
            });
  return (
    <time dateTime={at} title={`${at.replace('T', ' ').replace(/Z$/, '')} UTC`} className="tabular">
      {text}
    </time>
  );
}

/** How long ago an instant was, and after a week its day. */
export function TimeAgo({ at }: { at: string }) {
  const format = useFormatter();
  const now = useNow({ updateInterval: MINUTE_MS });
  const locale = useLocale();
  const timeZone = useTimeZone();
  const date = new Date(at);
  const isOld = now.getTime() - date.getTime() > WEEK_MS;
  const full = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...(timeZone ? { timeZone } : {}) }).format(date);
  return (
    <time dateTime={at} title={`${full} · ${at.slice(0, 16).replace('T', ' ')} UTC`} className="tabular">
      {isOld
        ? format.dateTime(date, { month: 'short', day: 'numeric', year: 'numeric' })
        : format.relativeTime(date > now ? now : date, now)}
    </time>
  );
}
