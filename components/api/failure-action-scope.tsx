'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { RequestFailure } from './request.ts';

type ActionFor = (failure: RequestFailure) => ReactNode;

const FailureActionContext = createContext<ActionFor>(() => null);

/** What the pages within offer beside a failure that is shown on them; null for those they have nothing for. */
export function FailureActionScope({ value, children }: { value: ActionFor; children: ReactNode }) {
  return <FailureActionContext value={value}>{children}</FailureActionContext>;
}

export function useFailureAction(): ActionFor {
  return useContext(FailureActionContext);
}
