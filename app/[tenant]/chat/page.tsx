import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewChat } from '#components/chat/new-chat.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadModelInUse, loadPresets, loadShell } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('chat.pages');
  return { title: t('new') };
}

interface NewChatPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<{ preset?: string | string[] }>;
}

export default async function NewChatPage({ params, searchParams }: NewChatPageProps) {
  const [{ tenant }, { preset }] = await Promise.all([params, searchParams]);
  const [me, presets, model] = await Promise.all([loadShell(tenant), loadPresets(tenant), loadModelInUse(tenant)]);
  if (!me.permissions.includes('conversation:write')) {
    return <Denied permission="conversation:write" />;
  }
  return <NewChat key={String(preset)} presets={presets} wantedPreset={typeof preset === 'string' ? preset : undefined} model={model} />;
}
