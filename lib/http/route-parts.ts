import { z } from 'zod';
import { AppError, type Id, type IdKind, parseId, storableText } from '#lib/kernel/index.ts';
import { toInvalidRequest } from './error-response.ts';
import { readJsonBody } from './read-body.ts';

/** What a request says besides who sends it; a part without a schema is undefined. */
export interface Parts<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

export interface PartSchemas<Params, Query, Body> {
  /** The URL's ids. What does not fit answers 404, as an id that leads nowhere. */
  readonly params?: z.ZodType<Params>;
  /** A name that is repeated comes as an array. */
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
}

/** What a success answers. */
export interface AnswerShape {
  /** Checked on the way out, except in production. */
  readonly response?: z.ZodType;
  /** 200 by default, 204 where there is nothing to say. */
  readonly status?: number;
}

/** An id in the URL: `params: z.object({ run: idParameter('run') })`. */
export function idParameter<Kind extends IdKind>(kind: Kind): z.ZodType<Id<Kind>> {
  return z.string().transform((text, context) => {
    const id = parseId(kind, text);
    if (id) return id;
    context.addIssue({ code: 'custom', message: 'not an id' });
    return z.NEVER;
  });
}

/** Throws `not_found` for the path, `invalid_request` for query and body, and what reading a body can throw. */
export async function readParts<Params, Query, Body>(
  schemas: PartSchemas<Params, Query, Body>,
  request: Request,
  params: Record<string, unknown>,
): Promise<Parts<Params, Query, Body>> {
  return {
    params: parseWith(schemas.params, params, () => new AppError({ code: 'not_found', message: 'There is nothing here.' })),
    query: parseWith(schemas.query, toQuery(new URL(request.url).searchParams), (error) => toInvalidRequest(error, 'query')),
    body: schemas.body ? await readJsonBody(request, schemas.body) : (undefined as Body),
  };
}

export function toAnswer(result: unknown, { response, status }: AnswerShape): Response {
  if (result === undefined) return new Response(null, { status: status ?? 204 });
  const shown = response && process.env.NODE_ENV !== 'production' ? response.parse(result) : result;
  return Response.json(shown, { status: status ?? 200, headers: { 'cache-control': 'no-store' } });
}

function parseWith<Value>(schema: z.ZodType<Value> | undefined, given: unknown, refuse: (error: z.ZodError) => AppError): Value {
  if (!schema) return undefined as Value;
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw refuse(parsed.error);
  return parsed.data;
}

/** Made storable here, since what is searched for is compared with what was. */
function toQuery(search: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(search.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = search.getAll(name).map(storableText);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
