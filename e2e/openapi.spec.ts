import { expect, test } from './fixtures.ts';
import { ROUTES } from './route-list.ts';

test('the description of the API is there for everyone, and has every route that clients call', async ({ request }) => {
  const answer = await request.get('/api/openapi.json');
  expect(answer.status()).toBe(200);
  const { openapi, paths } = (await answer.json()) as { openapi: string; paths: Record<string, Record<string, unknown>> };
  expect(openapi).toBe('3.1.0');
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // Where the browser asks for its address, and MCP and OAuth, whose own protocols describe them.
  const besides = ['/api/address', '/api/mcp', '/api/oauth/clients', '/api/oauth/token'];
  const listed = ROUTES.filter(({ path }) => !path.includes('...') && !besides.includes(path)).map(
    ({ method, path }) => `${method} ${path.replaceAll(/\[(\w+)\]/g, '{$1}')}`,
  );
  expect(described.sort()).toEqual(listed.sort());
});
