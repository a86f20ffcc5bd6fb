import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewChat } from '#components/chat/new-chat.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadModelInUse, loadPresets, loadShell } from '../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('chat.pages');
  return { title: t('new') };
}

export default async function NewChatPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  const [me, presets, model] = await Promise.all([loadShell(tenant), loadPresets(tenant), loadModelInUse(tenant)]);
  if (!me.permissions.includes('conversation:write')) {
    return <Denied permission="conversation:write" role={me.role.name} tenant={me.tenant.name} />;
  }
  return <NewChat presets={presets} model={model} />;
}
