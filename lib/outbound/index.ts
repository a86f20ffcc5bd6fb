export { type AddressPolicy, readAddressPolicy } from './address-policy.ts';
export { createGuardedFetch, type GuardedFetch } from './adapters/guarded-fetch.ts';
