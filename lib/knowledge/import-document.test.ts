import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#lib/audit/index.ts';
import { newId } from '#lib/kernel/index.ts';
import { readAddressPolicy } from '#lib/outbound/adapters/address-policy.ts';
import { createGuardedFetch } from '#lib/outbound/adapters/guarded-fetch.ts';
import type { Actor, Permission } from '#lib/tenancy/index.ts';
import { createInMemoryDocuments, searchReaderOf } from '#lib/testing/in-memory-documents.ts';
import { createInMemoryFacts } from '#lib/testing/in-memory-facts.ts';
import { createInMemoryTerms } from '#lib/testing/in-memory-terms.ts';
import { createFileReader } from './adapters/file-reader.ts';
import { FILE_LIMIT_BYTES, importAddress, importFile } from './import-document.ts';
import { searchDocuments } from './search-documents.ts';

let server: Server;
const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: '/page' }).end();
    else if (request.url === '/gone') response.writeHead(404).end('no');
    else if (request.url === '/endless') {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const piece = 'x'.repeat(1024 * 1024);
      const more = (): void => void (response.destroyed || response.write(piece, () => setImmediate(more)));
      more();
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<title>Fees</title><body><h2>Late books</h2><p>A late book costs 0.2 yuan a day.</p></body>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** One tenant's documents in memory, and the door out, which leads to `allowed` besides public addresses. */
function world(allowed: string) {
  const audited: AuditEntry[] = [];
  const stores = {
    documents: createInMemoryDocuments(),
    terms: createInMemoryTerms(),
    facts: createInMemoryFacts(),
    audit: { record: async (entry: AuditEntry) => void audited.push(entry) },
  };
  const unitOfWork = { within: <T>(_scope: unknown, work: (given: typeof stores) => Promise<T>) => work(stores) };
  const scope = { tenantId: newId('tenant'), userId: newId('user') };
  const actor = (...permissions: Permission[]): Actor => ({
    kind: 'user',
    scope,
    displayName: 'Ada',
    email: 'ada@example.com',
    roleKey: 'builder',
    roleName: 'Builder',
    permissions: new Set(permissions),
    locale: null,
    timeZone: 'UTC',
  });
  const fetch = createGuardedFetch(readAddressPolicy(allowed));
  return {
    audited,
    scope,
    actor,
    writer: actor('knowledge:write'),
    dependencies: { unitOfWork, readForSearch: searchReaderOf(stores), fileReader: createFileReader(), fetch },
  };
}

describe('importFile', () => {
  it('makes a document of it, in its language, and says on record what it was made of', async () => {
    const { audited, writer, dependencies, scope } = world('');
    const bytes = new TextEncoder().encode('图书馆早上八点开门，晚上十点关门。');
    expect(await importFile(dependencies, writer, { name: '开放时间.txt', mediaType: 'text/plain', bytes })).toMatchObject({
      title: '开放时间',
      language: 'zh-CN',
    });
    expect(audited).toMatchObject([{ type: 'document.created', details: { source: '开放时间.txt' } }]);
    expect(await searchDocuments(dependencies, { scope, query: '图书馆几点开门', limit: 1 })).toMatchObject([{ title: '开放时间' }]);
  });

  it('refuses without the right, and beyond the limit, before it reads anything', async () => {
    const { audited, actor, writer, dependencies } = world('');
    const file = { name: 'a.txt', mediaType: 'text/plain', bytes: new Uint8Array([65]) };
    // Whoever may not is not told what is wrong with the file either.
    const unreadable = { ...file, bytes: new Uint8Array([0]) };
    await expect(importFile(dependencies, actor('knowledge:read'), unreadable)).rejects.toMatchObject({ code: 'permission_denied' });
    const large = { ...file, bytes: new Uint8Array(FILE_LIMIT_BYTES + 1) };
    await expect(importFile(dependencies, writer, large)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(audited).toEqual([]);
  });
});

describe('importAddress', () => {
  it('makes a document of what stands there', async () => {
    const { writer, dependencies, scope } = world('127.0.0.1');
    expect(await importAddress(dependencies, writer, url('/page'))).toMatchObject({ title: 'Fees', language: 'en' });
    expect(await searchDocuments(dependencies, { scope, query: 'late book', limit: 1 })).toMatchObject([{ section: 'Late books' }]);
  });

  it('asks no private address, follows no redirect, and says what an address answers', async () => {
    const inside = world('');
    await expect(importAddress(inside.dependencies, inside.writer, url('/page'))).rejects.toMatchObject({ code: 'forbidden_address' });
    const { writer, actor, dependencies } = world('127.0.0.1');
    await expect(importAddress(dependencies, writer, url('/away'))).rejects.toMatchObject({ code: 'unreadable_document' });
    await expect(importAddress(dependencies, writer, url('/gone'))).rejects.toMatchObject({
      message: expect.stringContaining('it answers 404'),
    });
    await expect(importAddress(dependencies, actor('knowledge:read'), url('/page'))).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('stops reading an answer that never ends', async () => {
    const { writer, dependencies } = world('127.0.0.1');
    await expect(importAddress(dependencies, writer, url('/endless'))).rejects.toMatchObject({ code: 'payload_too_large' });
  });
});
