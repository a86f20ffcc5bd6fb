/** What is typed of a server, as text. */
export interface ServerDraft {
  readonly name: string;
  /** '' for a server at an address; else the name of a local program. */
  readonly program: string;
  readonly url: string;
  /** One `Name: value` a line. */
  readonly headers: string;
  /** Whether each person signs in with their own account. */
  readonly isSignIn: boolean;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly timeoutSeconds: string;
}

export type DraftField = keyof ServerDraft;
export type DraftProblem = 'name' | 'url' | 'headers' | 'client' | 'timeout';

const NAME = /^[a-z][a-z0-9_-]{0,30}$/;
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

export function findProblems(draft: ServerDraft, isNew: boolean): Partial<Record<DraftField, DraftProblem>> {
  const seconds = Number(draft.timeoutSeconds);
  return {
    ...(isNew && !NAME.test(draft.name) && { name: 'name' as const }),
    ...(draft.program === '' && !/^https?:\/\/[^\s/]+/.test(draft.url.trim()) && { url: 'url' as const }),
    ...(readHeaders(draft.headers) === null && { headers: 'headers' as const }),
    ...(draft.isSignIn && draft.clientSecret !== '' && draft.clientId.trim() === '' && { clientId: 'client' as const }),
    ...(!(seconds >= 1 && seconds <= 3_600) && { timeoutSeconds: 'timeout' as const }),
  };
}

/** Null: a line is none. */
export function readHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').map((entry) => entry.trim())) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    if (colon < 1 || !HEADER.test(name) || value === '') return null;
    headers[name] = value;
  }
  return headers;
}

export function toCreateBody(draft: ServerDraft) {
  const base = { name: draft.name, timeoutMs: Math.round(Number(draft.timeoutSeconds) * 1000) };
  if (draft.program !== '') return { ...base, reach: { transport: 'stdio', program: draft.program } };
  return {
    ...base,
    reach: { transport: 'http', url: draft.url.trim() },
    ...(draft.isSignIn ? { signIn: toSignIn(draft) } : { headers: readHeaders(draft.headers) ?? {} }),
  };
}

function toSignIn({ clientId, clientSecret, scope }: ServerDraft) {
  return { clientId: clientId.trim() || null, clientSecret: clientSecret || null, scope: scope.trim() || null };
}

/**
 * Headers and a client that were not typed again stay as they are: secrets are never shown. `before`: what is stored of the
 * sign-in; null: nobody signs in.
 */
export function toUpdateBody(draft: ServerDraft, areHeadersRemoved: boolean, before: Pick<ServerDraft, 'scope'> | null) {
  const base = {
    timeoutMs: Math.round(Number(draft.timeoutSeconds) * 1000),
    ...(draft.program === '' && { url: draft.url.trim() }),
  };
  if (draft.isSignIn) {
    const isSame = before !== null && draft.clientId.trim() === '' && draft.scope.trim() === before.scope;
    return isSame ? base : { ...base, signIn: toSignIn(draft) };
  }
  const headers = readHeaders(draft.headers) ?? {};
  const isTyped = areHeadersRemoved || Object.keys(headers).length > 0;
  return {
    ...base,
    ...(isTyped && { headers: areHeadersRemoved ? {} : headers }),
    ...(!isTyped && before !== null && { signIn: null }),
  };
}
