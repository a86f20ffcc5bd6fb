import { redirect } from 'next/navigation';

/** Settings open at their first section. */
export default async function SettingsPage({ params }: { params: Promise<{ tenant: string }> }) {
  const { tenant } = await params;
  redirect(`/${tenant}/settings/models`);
}
