import { v7 as uuidv7 } from 'uuid';

/** Every kind of thing that has an id, and the prefix its ids carry in URLs, logs, events and engine data. */
const PREFIXES = {
  tenant: 'ten',
  user: 'usr',
  member: 'mem',
  role: 'rol',
  apiKey: 'key',
  invitation: 'ivt',
  signInSession: 'sis',
  accessRequest: 'acr',
  session: 'ses',
  message: 'msg',
  run: 'run',
  invocation: 'inv',
  question: 'qst',
  approval: 'apv',
  approvalGrant: 'apg',
  audit: 'aud',
  document: 'doc',
  chunk: 'chk',
  fact: 'fct',
  term: 'trm',
  mcpServer: 'mcp',
  mcpTool: 'mct',
  mcpAccount: 'mca',
  modelProvider: 'mdl',
  embeddingSpace: 'ems',
  embeddingCall: 'emc',
  budget: 'bud',
  pluginOperation: 'plo',
  pluginRequest: 'plr',
  pluginSnapshot: 'pls',
  reveal: 'rvl',
  export: 'exp',
  notice: 'ntc',
  delivery: 'dlv',
} as const;

export type IdKind = keyof typeof PREFIXES;

/** An id of one kind: `run_` and the 32 hex digits of a UUIDv7. Columns hold the bare UUID; `db/columns.ts` converts. */
export type Id<Kind extends IdKind> = string & { readonly __id: Kind };

/** A new id; ids of one process sort by the time they were made (RFC 9562, version 7). */
export function newId<Kind extends IdKind>(kind: Kind): Id<Kind> {
  return fromUuid(kind, uuidv7());
}

/** Reads an id that came from outside. Returns null for anything else, another kind's id included. */
export function parseId<Kind extends IdKind>(kind: Kind, text: unknown): Id<Kind> | null {
  if (typeof text !== 'string') return null;
  const prefix = `${PREFIXES[kind]}_`;
  return text.startsWith(prefix) && /^[0-9a-f]{32}$/.test(text.slice(prefix.length)) ? (text as Id<Kind>) : null;
}

/** The bare UUID that a column stores. */
export function toUuid(id: Id<IdKind>): string {
  const hex = id.slice(-32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function fromUuid<Kind extends IdKind>(kind: Kind, uuid: string): Id<Kind> {
  return `${PREFIXES[kind]}_${uuid.replaceAll('-', '')}` as Id<Kind>;
}
