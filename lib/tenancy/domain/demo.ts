import type { BuiltInRole } from './role.ts';

export const DEMO_SLUG = 'demo';

/** The people of the demo tenant. The first is who "Open the demo" signs in. `example.com` belongs to nobody (RFC 2606). */
export const DEMO_PEOPLE: readonly { readonly email: string; readonly name: string; readonly role: BuiltInRole }[] = [
  { email: 'demo@example.com', name: 'Dana Owens', role: 'owner' },
  { email: 'demo-admin@example.com', name: 'Ade Lin', role: 'admin' },
  { email: 'demo-builder@example.com', name: 'Bo Wright', role: 'builder' },
  { email: 'demo-auditor@example.com', name: 'Audra Klein', role: 'auditor' },
  { email: 'demo-member@example.com', name: 'Mei Zhang', role: 'member' },
];
