import type { ReactNode } from 'react';
import { ChatFrame } from '#components/chat/chat-frame.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { loadCapabilityNames, loadSessions, loadShell } from '../page-data.ts';

export default async function ChatLayout({ params, children }: { params: Promise<{ tenant: string }>; children: ReactNode }) {
  const { tenant } = await params;
  const [sessions, titles, me] = await Promise.all([loadSessions(tenant), loadCapabilityNames(tenant), loadShell(tenant)]);
  if (!sessions.isAllowed) return <Denied permission={sessions.permission} role={sessions.role} tenant={me.tenant.name} />;
  return (
    <ChatFrame firstPage={sessions.value} titles={titles}>
      {children}
    </ChatFrame>
  );
}
