import { z } from 'zod';

/** One operation of the API, as the reference lists it. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** The permission it needs; null where being signed in is enough, or nobody has to be. */
  readonly permission: string | null;
  readonly isPublic: boolean;
}

export interface OperationGroup {
  readonly tag: string;
  readonly operations: readonly DescribedOperation[];
}

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.unknown()).optional(),
  'x-permission': z.string().optional(),
});
const api = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** The operations of an OpenAPI description of ours by their area, in its order. Throws on a description that is not ours. */
export function readOperations(description: unknown): OperationGroup[] {
  const groups = new Map<string, DescribedOperation[]>();
  for (const [path, methods] of Object.entries(api.parse(description).paths)) {
    for (const [method, { operationId, summary, tags, security = [], 'x-permission': permission = null }] of Object.entries(methods)) {
      const [tag = ''] = tags;
      const listed = groups.get(tag) ?? [];
      groups.set(tag, listed);
      listed.push({ id: operationId, method: method.toUpperCase(), path, summary, permission, isPublic: security.length === 0 });
    }
  }
  return [...groups].map(([tag, operations]) => ({ tag, operations })).sort((a, b) => (a.tag < b.tag ? -1 : 1));
}
