import ipaddr from 'ipaddr.js';
import { AppError } from '#lib/kernel/index.ts';
import type { AddressPolicy } from '../ports.ts';

/**
 * Public addresses are allowed; private, loopback, link-local and every other special range only where the operator lists
 * the host name, the address or its network: `localhost,10.1.0.0/16` (`design.md` section 5). Throws `invalid_request` for a
 * list that cannot be read.
 */
export function readAddressPolicy(allowed: string): AddressPolicy {
  const entries = allowed
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);
  const networks = entries.filter((entry) => entry.includes('/')).map(readNetwork);
  const names = new Set(entries.filter((entry) => !entry.includes('/')));
  return {
    objectTo(address, host) {
      if (!ipaddr.isValid(address)) return `${address} is not an address`;
      // ::ffff:127.0.0.1 is 127.0.0.1.
      const parsed = ipaddr.process(address);
      if (parsed.range() === 'unicast') return null;
      if (names.has(host.toLowerCase()) || names.has(parsed.toString())) return null;
      if (networks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))) return null;
      return `${host} leads to ${parsed.toString()}, which is not a public address. An operator can allow it with OUTBOUND_ALLOW.`;
    },
  };
}

function readNetwork(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  try {
    return ipaddr.parseCIDR(entry);
  } catch (error) {
    throw new AppError({ code: 'invalid_request', message: `OUTBOUND_ALLOW: ${entry} is not a network.`, cause: error });
  }
}
