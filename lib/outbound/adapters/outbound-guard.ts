import { type LookupOptions, lookup as resolve } from 'node:dns';
import { isIP } from 'node:net';
import { AppError } from '#lib/kernel/index.ts';
import type { AddressPolicy, OutboundGuard } from '../ports.ts';

/**
 * The check at the door. Addresses are judged at the moment of connecting, on what the name resolved to, so a name that
 * changes its mind between check and use gains nothing.
 */
export function createOutboundGuard(policy: AddressPolicy): OutboundGuard {
  return {
    lookup(hostname, options: LookupOptions, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, '', 0);
        const objection = addresses.map(({ address }) => policy.objectTo(address, hostname)).find((reason) => reason !== null);
        if (objection) return callback(refusal(objection), '', 0);
        if (options.all) return callback(null, addresses);
        const [first] = addresses;
        callback(null, first?.address ?? '', first?.family ?? 4);
      });
    },
    requireAllowed(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusal(`${url.protocol} addresses are not called.`);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      // No name, no lookup: checked here.
      const objection = isIP(host) ? policy.objectTo(host, host) : null;
      if (objection) throw refusal(objection);
    },
  };
}

function refusal(message: string): AppError {
  return new AppError({ code: 'forbidden_address', message });
}
