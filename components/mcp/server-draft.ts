/** What is typed of a server, as text. */
export interface ServerDraft {
  readonly name: string;
  /** '' for a server at an address; else the name of a local program. */
  readonly program: string;
  readonly url: string;
  /** One `Name: value` a line. */
  readonly headers: string;
  readonly timeoutSeconds: string;
}

export type DraftField = keyof ServerDraft;
export type DraftProblem = 'name' | 'url' | 'headers' | 'timeout';

const NAME = /^[a-z][a-z0-9_-]{0,30}$/;
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

export function findProblems(draft: ServerDraft, isNew: boolean): Partial<Record<DraftField, DraftProblem>> {
  const seconds = Number(draft.timeoutSeconds);
  return {
    ...(isNew && !NAME.test(draft.name) && { name: 'name' as const }),
    ...(draft.program === '' && !/^https?:\/\/[^\s/]+/.test(draft.url.trim()) && { url: 'url' as const }),
    ...(readHeaders(draft.headers) === null && { headers: 'headers' as const }),
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
  return { ...base, reach: { transport: 'http', url: draft.url.trim() }, headers: readHeaders(draft.headers) ?? {} };
}

/** Headers that were not typed again stay as they are: they are never shown. */
export function toUpdateBody(draft: ServerDraft, areHeadersRemoved: boolean) {
  const headers = readHeaders(draft.headers) ?? {};
  return {
    timeoutMs: Math.round(Number(draft.timeoutSeconds) * 1000),
    ...(draft.program === '' && { url: draft.url.trim() }),
    ...((areHeadersRemoved || Object.keys(headers).length > 0) && { headers: areHeadersRemoved ? {} : headers }),
  };
}
