import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAddressPolicy } from './address-policy.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

describe('createGuardedFetch', () => {
  let server: Server;
  let hits = 0;
  const url = (host: string, path = '/') => `http://${host}:${(server.address() as AddressInfo).port}${path}`;

  beforeAll(async () => {
    server = createServer((request, response) => {
      hits += 1;
      if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      else if (request.url === '/home') response.writeHead(302, { location: '/' }).end();
      else response.end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  it.each(['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '[::ffff:127.0.0.1]'])('does not connect to %s', async (host) => {
    const guarded = createGuardedFetch(readAddressPolicy(''));
    await expect(guarded(url(host))).rejects.toMatchObject({ code: 'forbidden_address' });
    expect(hits).toBe(0);
  });

  it.each(['http://169.254.169.254/latest', 'http://10.0.0.1/', 'http://192.168.1.1/', 'file:///etc/passwd', 'ftp://example.org/'])(
    'refuses %s',
    async (target) => {
      await expect(createGuardedFetch(readAddressPolicy(''))(target)).rejects.toMatchObject({ code: 'forbidden_address' });
    },
  );

  it.each(['127.0.0.1', '127.0.0.0/8', 'localhost'])('connects where the operator lists %s', async (allowed) => {
    const guarded = createGuardedFetch(readAddressPolicy(allowed));
    const response = await guarded(url(allowed === 'localhost' ? 'localhost' : '127.0.0.1'));
    expect(await response.text()).toBe('hello');
  });

  it('follows no redirect', async () => {
    await expect(createGuardedFetch(readAddressPolicy('127.0.0.1'))(url('127.0.0.1', '/away'))).rejects.toThrow('fetch failed');
    await expect(createGuardedFetch(readAddressPolicy('127.0.0.1'))(url('127.0.0.1', '/home'))).rejects.toThrow('fetch failed');
  });
});
