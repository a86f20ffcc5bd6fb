'use client';

import { useLocale } from 'next-intl';
import { createContext, type ReactNode, useContext } from 'react';
import type { Locale } from '#lib/i18n/index.ts';

/** What the interface knows of a capability besides its id. */
export interface CapabilityTitle {
  id: string;
  title: { readonly [Key in Locale]: string };
}

const Titles = createContext<ReadonlyMap<string, CapabilityTitle>>(new Map());

export function CapabilityTitleScope({ titles, children }: { titles: readonly CapabilityTitle[]; children: ReactNode }) {
  return <Titles value={new Map(titles.map((title) => [title.id, title]))}>{children}</Titles>;
}

/** The name of a capability in the reader's language; null for one that is not here any more. */
export function useCapabilityTitle(): (id: string) => string | null {
  const titles = useContext(Titles);
  const locale = useLocale();
  return (id) => titles.get(id)?.title[locale] ?? null;
}
