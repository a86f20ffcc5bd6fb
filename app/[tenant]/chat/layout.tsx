import type { ReactNode } from 'react';
import { ChatFrame } from '#components/chat/chat-frame.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadCapabilityNames, loadSessions } from '../page-data.ts';

export default async function ChatLayout({ params, children }: { params: Promise<{ tenant: string }>; children: ReactNode }) {
  const { tenant } = await params;
  const [sessions, titles] = await Promise.all([loadSessions(tenant), loadCapabilityNames(tenant)]);
  if (!sessions.isAllowed) return <Denied permission={sessions.permission} />;
  return (
    <ChatFrame firstPage={sessions.value} titles={titles}>
      {children}
    </ChatFrame>
  );
}
