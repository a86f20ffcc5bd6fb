import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DeliveryLog } from '#components/notifications/delivery-log.tsx';
import { MailPreference } from '#components/notifications/mail-preference.tsx';
import { WebhookSettings } from '#components/notifications/webhook-settings.tsx';
import { Denied } from '#components/shell/denied.tsx';
import { SettingsPage } from '#components/shell/settings-page.tsx';
import { deliveryState } from '#lib/notifications/contract.ts';
import { loadNotifications, loadShell, loadWebhook, oneOf, type SearchParams } from '../../page-data.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('notifications');
  return { title: t('title') };
}

interface NotificationsPageProps {
  params: Promise<{ tenant: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function NotificationsPage({ params, searchParams }: NotificationsPageProps) {
  const [{ tenant }, search, t] = await Promise.all([params, searchParams, getTranslations('notifications')]);
  const state = deliveryState.safeParse(oneOf(search.state)).data;
  const cursor = oneOf(search.cursor);
  const [me, own, webhook] = await Promise.all([loadShell(tenant), loadNotifications(tenant), loadWebhook(tenant, { state, cursor })]);
  if (!own.isAllowed) return <Denied permission={own.permission} />;
  return (
    <SettingsPage title={t('title')} intro={t('intro')}>
      <MailPreference initial={own.value} isDisabled={me.ownRole !== null} />
      {webhook.isAllowed ? (
        <>
          <WebhookSettings webhook={webhook.value.setting.webhook} />
          <DeliveryLog page={webhook.value.deliveries} state={state ?? null} isFirst={cursor === undefined} />
        </>
      ) : null}
    </SettingsPage>
  );
}
