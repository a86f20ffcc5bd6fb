export type { AddressPolicy, GuardedFetch, OutboundGuard } from './ports.ts';
