import type { Metadata } from 'next';
import { getLocale, getNow, getTranslations } from 'next-intl/server';
import { ChatView } from '#components/chat/chat-view.tsx';
import { applyRunEvents, startProgress } from '#components/chat/run-progress.ts';
import { Denied } from '#components/shell/denied.tsx';
import { loadModelInUse, loadPresets, loadRunLog, loadRunsOfSession, loadTranscript } from '../../page-data.ts';

type Params = Promise<{ tenant: string; session: string }>;

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const { tenant, session } = await params;
  const [transcript, t] = await Promise.all([loadTranscript(tenant, session), getTranslations('chat.list')]);
  return { title: (transcript.isAllowed && transcript.value.session.title) || t('untitled') };
}

export default async function ChatPage({ params }: { params: Params }) {
  const { tenant, session } = await params;
  const readAt = (await getNow()).getTime();
  const [transcript, presets, model, locale] = await Promise.all([
    loadTranscript(tenant, session),
    loadPresets(tenant),
    loadModelInUse(tenant),
    getLocale(),
  ]);
  if (!transcript.isAllowed) return <Denied permission={transcript.permission} />;
  const [summaries, progress] = await Promise.all([
    loadRunsOfSession(tenant, session),
    Promise.all(transcript.value.activeRunIds.map((runId) => progressOf(tenant, runId))),
  ]);
  const preset = presets.find(({ key }) => key === transcript.value.session.preset);
  return (
    <ChatView
      key={session}
      initial={transcript.value}
      progress={progress}
      summaries={summaries.items}
      presetName={preset?.name[locale] ?? transcript.value.session.preset}
      model={model}
      readAt={readAt}
    />
  );
}

/** How far a run under way has come: the browser goes on from exactly there. */
async function progressOf(tenant: string, runId: string) {
  let progress = startProgress(runId);
  for (;;) {
    const log = await loadRunLog(tenant, runId, progress.lastSeq);
    if (!log.isAllowed || log.value.items.length === 0) return progress;
    progress = applyRunEvents(progress, log.value.items);
    if (progress.lastSeq >= log.value.lastSeq) return progress;
  }
}
