'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { SessionPage } from '#lib/conversations/contract.ts';

const FirstPage = createContext<SessionPage>({ items: [], nextCursor: null });

/** Hands the first page of chats, as the server read it, to every list below. */
export function SessionListScope({ firstPage, children }: { firstPage: SessionPage; children: ReactNode }) {
  return <FirstPage value={firstPage}>{children}</FirstPage>;
}

export function useFirstSessions(): SessionPage {
  return useContext(FirstPage);
}
