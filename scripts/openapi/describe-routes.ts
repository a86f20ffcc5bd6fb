import { globSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type DescribedRoute, describeApi, findShape } from '#lib/http/index.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Where the pages' own requests are sent on to; nothing that a client calls. */
const INTERNAL = new Set(['/api/address']);

/** The API as its route files define it, as the text of the file that is served. */
export async function describeRoutes(): Promise<{ text: string; operations: number }> {
  const routes = await readRoutes();
  return { text: `${JSON.stringify(describeApi(routes, await readSchemaNames()), null, 2)}\n`, operations: routes.length };
}

/** Every method of every route file that was made from a definition; what next-auth answers is its own protocol. */
async function readRoutes(): Promise<DescribedRoute[]> {
  const found: DescribedRoute[] = [];
  for (const file of globSync('app/api/**/route.ts', { cwd: ROOT }).sort()) {
    const address = `/${path.posix.dirname(file).replace(/^app\//, '')}`.replaceAll(/\[(\w+)\]/g, '{$1}');
    if (INTERNAL.has(address)) continue;
    const module = (await import(path.join(ROOT, file))) as Record<string, Parameters<typeof findShape>[0] | undefined>;
    for (const method of METHODS) {
      const handler = module[method];
      const shape = handler ? findShape(handler) : null;
      if (shape) found.push({ method, path: address, shape });
    }
  }
  return found;
}

/** Schemas of the contracts, by the names they are exported under. */
async function readSchemaNames(): Promise<Map<z.ZodType, string>> {
  const names = new Map<z.ZodType, string>();
  for (const file of globSync('lib/*/contract.ts', { cwd: ROOT }).sort()) {
    const module = (await import(path.join(ROOT, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) if (value instanceof z.ZodType) names.set(value, name);
  }
  return names;
}
