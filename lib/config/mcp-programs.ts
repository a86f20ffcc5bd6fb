import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError, messageOf } from '#lib/kernel/index.ts';

/** A local program that workspaces may use as an MCP server. Nothing of it can be changed from inside. */
export interface McpProgram {
  readonly key: string;
  readonly title: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string | null;
}

const programs = z.record(
  z.string().regex(/^[a-z][a-z0-9_-]{0,59}$/),
  z.strictObject({
    title: z.string().min(1).max(80).optional(),
    command: z.array(z.string()).min(1),
    environment: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
    folder: z.string().startsWith('/').optional(),
  }),
);

/**
 * Reads the operator's list: JSON, or the path of a file with JSON, which is data and never run. Throws `invalid_request`
 * naming what is wrong.
 */
export function readMcpPrograms(setting: string | undefined): McpProgram[] {
  if (!setting) return [];
  let found: unknown;
  try {
    found = JSON.parse(setting.trimStart().startsWith('{') ? setting : readFileSync(setting, 'utf8'));
  } catch (error) {
    throw new AppError({ code: 'invalid_request', message: `MCP_PROGRAMS: ${messageOf(error)}`, cause: error });
  }
  const parsed = programs.safeParse(found);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new AppError({ code: 'invalid_request', message: `MCP_PROGRAMS: ${problems.join('; ')}` });
  }
  return Object.entries(parsed.data).map(([key, { title, command, environment, folder }]) => ({
    key,
    title: title ?? key,
    command,
    environment,
    folder: folder ?? null,
  }));
}
