import { redirect } from 'next/navigation';
import { findEntryPath } from './entry-data.ts';

/** The bare address leads to wherever its visitor can go on. */
export default async function StartPage() {
  redirect(await findEntryPath());
}
