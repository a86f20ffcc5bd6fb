import { AppError, isAppError } from '#lib/kernel/index.ts';
import type { OidcRefusal } from './domain/oidc-refusal.ts';
import { OIDC_PROVIDER_ID } from './next-auth-oidc.ts';
import { nextAuthOptions, senderOf } from './next-auth-options.ts';
import type { OidcProvider } from './oidc-client.ts';
import type { AuthRuntime } from './runtime.ts';
import { readCookies } from './session-cookie.ts';

/** A refusal that a script can act on, beside the address that next-auth's own client reads it from. */
export interface SignInRefused {
  readonly error: AppError;
  readonly url: string | null;
}

export type NextAuthAnswer = { readonly response: Response } | { readonly refused: SignInRefused };

/**
 * Answers `/api/auth/...`. `body` is the form or JSON that was posted. next-auth is called the way a Pages Router handler
 * calls it, which takes plain values: its App Router entry reads the request from Next's ambient state.
 */
export async function handleNextAuth(runtime: AuthRuntime, request: Request, body: Record<string, unknown>): Promise<NextAuthAnswer> {
  const url = new URL(request.url);
  const nextauth = url.pathname.split('/').slice(3);
  // Its client would write into our log whatever it is told to.
  if (nextauth[0] === '_log') return { response: new Response(null, { status: 204 }) };
  const answer = new CollectedAnswer();
  let refusal: AppError | null = null;
  let failure: OidcRefusal | null = null;
  const isByProvider = nextauth[1] === OIDC_PROVIDER_ID && (nextauth[0] === 'signin' || nextauth[0] === 'callback');
  const sender = senderOf(request.headers);
  let oidc: OidcProvider | null = null;
  try {
    if (isByProvider) oidc = await runtime.openOidc(nextauth[0] === 'callback' ? 'callback' : 'signin', sender);
  } catch (error) {
    return refuseProvider(answer, toKnown(error), request);
  }
  const options = nextAuthOptions(runtime, {
    headers: request.headers,
    oidc,
    onRefused: (error) => {
      refusal = error;
    },
    onProtocolFailure: (reason) => {
      failure ??= reason;
    },
  });
  const { default: NextAuth } = await import('next-auth');
  await NextAuth(options)(
    {
      method: request.method,
      query: { ...Object.fromEntries(url.searchParams), nextauth },
      body: { ...body, json: String(body.json) },
      cookies: readCookies(request.headers.get('cookie')),
      headers: Object.fromEntries(request.headers),
    },
    answer,
  );
  if (oidc && !refusal && (failure || answer.redirectedTo()?.includes('error='))) {
    await runtime.refuseOidc({ refusal: failure ?? 'unproved', userId: null, email: '' }, sender).catch((error: unknown) => {
      refusal = toKnown(error);
    });
  }
  if (oidc && isAppError(refusal)) return refuseProvider(answer, refusal, request);
  const wantsJson = String(body.json) === 'true';
  if (wantsJson && isAppError(refusal)) return { refused: { error: refusal, url: answer.redirectedTo() } };
  if (wantsJson && answer.redirectedTo()?.includes('csrf=true')) return { refused: { error: staleForm(), url: answer.redirectedTo() } };
  return { response: answer.toResponse() };
}

/** A browser on its way back from the provider is led to the sign-in page, which says what to do; a script gets the error. */
function refuseProvider(answer: CollectedAnswer, error: AppError, request: Request): NextAuthAnswer {
  if (request.method !== 'GET') return { refused: { error, url: null } };
  const reason =
    typeof error.details?.reason === 'string' ? error.details.reason : error.code === 'rate_limited' ? 'rate-limited' : 'unproved';
  answer.setHeader('location', `/sign-in?problem=${reason}`);
  answer.status(302);
  return { response: answer.toResponse() };
}

function toKnown(error: unknown): AppError {
  if (isAppError(error)) return error;
  throw error;
}

function staleForm(): AppError {
  return new AppError({
    code: 'forbidden_origin',
    message: 'The form is out of date: its token does not match the cookie. Load the page again.',
  });
}

/** Collects what next-auth writes to a Node response. */
class CollectedAnswer {
  readonly #headers = new Headers();
  #status = 200;
  #body: string | null = null;

  status(code: number): this {
    this.#status = code;
    return this;
  }

  getHeader(name: string): string | string[] | undefined {
    return name.toLowerCase() === 'set-cookie' ? this.#headers.getSetCookie() : (this.#headers.get(name) ?? undefined);
  }

  setHeader(name: string, value: string | readonly string[]): this {
    this.#headers.delete(name);
    for (const item of typeof value === 'string' ? [value] : value) this.#headers.append(name, item);
    return this;
  }

  json(value: unknown): this {
    this.#headers.set('content-type', 'application/json');
    this.#body = JSON.stringify(value);
    return this;
  }

  send(value: unknown): this {
    if (typeof value === 'object' && value !== null) return this.json(value);
    this.#body = typeof value === 'string' ? value : null;
    return this;
  }

  end(): this {
    return this;
  }

  /** Where next-auth sends the browser, in a header or, for its own client, in the body. */
  redirectedTo(): string | null {
    if (this.#headers.has('location')) return this.#headers.get('location');
    const body: unknown = this.#body === null ? null : JSON.parse(this.#body);
    return typeof body === 'object' && body !== null && 'url' in body && typeof body.url === 'string' ? body.url : null;
  }

  toResponse(): Response {
    return new Response(this.#body, { status: this.#status, headers: this.#headers });
  }
}
