import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { NextIntlClientProvider } from 'next-intl';
import { type ReactNode, Suspense } from 'react';
import { LiveScope } from '#components/live/live-scope.tsx';
import { MeScope } from '#components/shell/me-scope.tsx';
import { TooltipScope } from '#components/ui/tooltip.tsx';
import type { MeView } from '#lib/tenancy/contract.ts';
import { ENGLISH } from './english-messages.ts';

export const ME: MeView = {
  user: { id: 'usr_1', email: 'li@example.com', name: 'Li', locale: null, timeZone: null, isOperator: false },
  tenant: { id: 'ten_1', slug: 'acme', name: 'Acme', isDemo: false, defaultLocale: null, createdAt: '2026-01-01T00:00:00Z' },
  role: { key: 'owner', name: 'Owner' },
  permissions: ['conversation:read', 'conversation:write', 'run:read', 'knowledge:read', 'knowledge:write'],
  ownRole: null,
  openAccessRequests: 0,
  tenants: [{ slug: 'acme', name: 'Acme' }],
};

const ROUTER = {
  back() {},
  forward() {},
  refresh() {},
  push() {},
  replace() {},
  prefetch() {},
  hmrRefresh() {},
  experimental_gesturePush() {},
};

/** What is around a component on a page of a workspace: language, person, live events, address. */
export function WorkspaceFrame({ me = ME, path = '/acme/chat', children }: { me?: MeView; path?: string; children: ReactNode }) {
  return (
    <AppRouterContext value={ROUTER as never}>
      <PathnameContext value={path}>
        <SearchParamsContext value={new URLSearchParams()}>
          <NextIntlClientProvider locale="en" timeZone="UTC" now={new Date('2026-01-01T12:00:00Z')} messages={ENGLISH}>
            <MeScope me={me}>
              <LiveScope tenantSlug={me.tenant.slug}>
                <TooltipScope>
                  <Suspense>{children}</Suspense>
                </TooltipScope>
              </LiveScope>
            </MeScope>
          </NextIntlClientProvider>
        </SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>
  );
}
