'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { MeView } from '#lib/tenancy/contract.ts';

const MeContext = createContext<MeView | null>(null);

export function MeScope({ me, children }: { me: MeView; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** The signed-in person in the workspace whose pages these are. */
export function useMe(): MeView {
  const me = useContext(MeContext);
  if (me === null) throw new Error('useMe is used outside of a workspace');
  return me;
}

/** Whether the person may do something here. What is refused is hidden; the server decides in any case. */
export function useCan(permission: string): boolean {
  return useMe().permissions.includes(permission);
}
