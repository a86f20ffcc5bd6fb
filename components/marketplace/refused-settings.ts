import { z } from 'zod';
import type { RequestFailure } from '#components/api/request.ts';

const details = z.object({ fields: z.array(z.object({ path: z.string(), message: z.string() })) });

/** The server's refusal of settings, by field; empty where it speaks of none. */
export function refusedSettings(failure: RequestFailure | null): Readonly<Record<string, string>> {
  const parsed = failure?.code === 'invalid_request' ? details.safeParse(failure.details) : null;
  return parsed?.success ? Object.fromEntries(parsed.data.fields.map(({ path, message }) => [path.split('.')[0] ?? path, message])) : {};
}
