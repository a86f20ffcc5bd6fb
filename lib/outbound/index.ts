export type { AddressPolicy, GuardedFetch } from './ports.ts';
