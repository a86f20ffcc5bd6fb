import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

async function enter(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A program on the person's machine, which waits for its answer at a port of its own. */
async function aProgram() {
  const answers = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    answers.resolve(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Done</title>You can close this page.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const kept: { client?: object; tokens?: object; verifier?: string; asked?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Desk editor', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    state: () => 'of-this-program',
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.asked = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  };
  return { provider, origin: new URL(redirectUrl).origin, kept, answer: answers.promise, close: () => void server.close() };
}

test('a program that a person lets in calls tools as them, until they end it', async ({ page, origin, workspace, awaitedOrigins }) => {
  const program = await aProgram();
  awaitedOrigins.add(program.origin);
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL('/api/mcp', origin), { authProvider: program.provider });
    const client = new Client({ name: 'desk-editor', version: '1' });
    await client.connect(transport);
    return client;
  };
  // The official client finds its way by itself: 401, where to ask, registration, and the page for the person.
  await expect(connect()).rejects.toBeInstanceOf(UnauthorizedError);
  const asked = program.kept.asked?.href ?? '';
  expect(asked).toContain(`${origin}/oauth/authorize?`);

  // Signing in comes first, and leads back.
  await page.goto(asked);
  await expect(page).toHaveURL(/\/sign-in\?callback=/);
  await enter(page, workspace.owner);
  await expect(page.getByRole('heading', { name: 'Allow Desk editor' })).toBeVisible();
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(page.getByText('You can close this page.')).toBeVisible();
  const answer = await program.answer;
  expect(answer.get('state')).toBe('of-this-program');

  const transport = new StreamableHTTPClientTransport(new URL('/api/mcp', origin), { authProvider: program.provider });
  await transport.finishAuth(answer.get('code') ?? '');
  const client = await connect();
  const result = await client.callTool({ name: 'math.calculate', arguments: { expression: '6*7' } });
  expect(JSON.stringify(result.content)).toContain('42');
  await client.close();

  await page.goto('/account/sessions');
  const row = page.getByRole('listitem').filter({ hasText: 'Desk editor' });
  await row.getByRole('button', { name: 'End' }).click();
  await expect(page.getByText('You have allowed no program anything.')).toBeVisible();
  await expect(connect()).rejects.toThrow();
  // The protocol's own words, which programs act on.
  const { refresh_token: refreshToken = '' } = (program.kept.tokens ?? {}) as { refresh_token?: string };
  const { client_id: clientId = '' } = (program.kept.client ?? {}) as { client_id?: string };
  const ended = await fetch(`${origin}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }),
  });
  expect([ended.status, await ended.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  program.close();
});

test('a program that is not known, or is not allowed, gets nothing', async ({ page, origin, workspace, awaitedOrigins }) => {
  await page.goto(`${origin}/oauth/authorize?response_type=code&client_id=cli_none&redirect_uri=https://evil.example/`);
  await expect(page.getByRole('heading', { name: 'This program is not known' })).toBeVisible();
  const program = await aProgram();
  awaitedOrigins.add(program.origin);
  const transport = new StreamableHTTPClientTransport(new URL('/api/mcp', origin), { authProvider: program.provider });
  await expect(new Client({ name: 'desk-editor', version: '1' }).connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
  await page.goto(program.kept.asked?.href ?? '');
  await enter(page, workspace.owner);
  await page.getByRole('link', { name: 'Do not allow' }).click();
  await expect(page.getByText('You can close this page.')).toBeVisible();
  expect((await program.answer).get('error')).toBe('access_denied');
  program.close();
});
