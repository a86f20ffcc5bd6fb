import type { Sql, TransactionSql } from 'postgres';
import { AppError, type Id, parseId, storableText, type TenantScope, toUuid } from '#lib/kernel/index.ts';
import type { RunListQuery } from '#lib/supervisor/index.ts';
import { wordsOfQuery } from './run-words.ts';

/** How far a run's id and its `created_at` may lie apart: both are taken within one request. */
const SLACK_MS = 60_000;
const MICROS = 1_000_000;

/** What a query leaves of the runs, as conditions on `r`. Facets hold back the conditions of the dimensions they count. */
export function runConditions(
  tx: Sql | TransactionSql,
  scope: TenantScope,
  query: RunListQuery,
  { ownOnly, isFaceted = false }: { ownOnly: boolean; isFaceted?: boolean },
) {
  const cursor = query.cursor === undefined ? null : requireId('run', query.cursor, 'cursor');
  const after = query.after === undefined ? null : requireId('run', query.after, 'after');
  const session = query.session === undefined ? null : requireId('session', query.session, 'session');
  const tenant = toUuid(scope.tenantId);
  const { words, isHopeless } = wordsOfQuery(query.q ?? '');
  return tx`
    r.tenant_id = ${tenant}
    ${ownOnly && scope.userId ? tx`and r.user_id = ${toUuid(scope.userId)}` : tx``}
    ${cursor ? tx`and r.id < ${toUuid(cursor)}` : tx``}
    ${after ? tx`and r.id > ${toUuid(after)}` : tx``}
    ${session ? tx`and r.session_id = ${toUuid(session)}` : tx``}
    ${isFaceted ? tx`` : tx`and ${facetConditions(tx, query).all}`}
    ${query.from ? tx`and r.created_at >= ${query.from} and r.id >= ${uuidAt(Date.parse(query.from) - SLACK_MS)}::uuid` : tx``}
    ${query.to ? tx`and r.created_at < ${query.to} and r.id < ${uuidAt(Date.parse(query.to) + SLACK_MS)}::uuid` : tx``}
    ${query.minMs === undefined ? tx`` : tx`and r.duration_ms >= ${query.minMs}::bigint`}
    ${query.maxMs === undefined ? tx`` : tx`and r.duration_ms <= ${query.maxMs}::bigint`}
    ${query.minCost === undefined ? tx`` : tx`and r.cost_micros >= ${Math.round(query.minCost * MICROS)}::bigint`}
    ${query.maxCost === undefined ? tx`` : tx`and r.cost_micros <= ${Math.round(query.maxCost * MICROS)}::bigint`}
    ${query.capability ? tx`and exists (select from invocation i where i.tenant_id = ${tenant} and i.run_id = r.id and i.capability_id = ${storableText(query.capability)})` : tx``}
    ${isHopeless ? tx`and false` : tx``}
    ${words.reduce((before, { text, isBeginning }) => tx`${before} and r.id in (${runsWithWord(tx, tenant, text, isBeginning)})`, tx``)}`;
}

function runsWithWord(tx: Sql | TransactionSql, tenant: string, text: string, isBeginning: boolean) {
  return isBeginning
    ? tx`select w.run_id from run_word w where w.tenant_id = ${tenant} and w.token >= ${text} and w.token < ${`${text}\u{10ffff}`}`
    : tx`select w.run_id from run_word w where w.tenant_id = ${tenant} and w.token = ${text}`;
}

/** The dimensions that are counted, each as a condition of its own: true where nothing was chosen. */
export function facetConditions(tx: Sql | TransactionSql, query: RunListQuery) {
  const states = query.state === undefined ? [] : [query.state].flat();
  const actor = query.actor === undefined ? null : requireId('user', query.actor, 'actor');
  const state = states.length > 0 ? tx`r.state = any(${states}::text[])` : tx`true`;
  const preset = query.preset ? tx`r.preset = ${storableText(query.preset)}` : tx`true`;
  const path = query.path ? tx`coalesce(r.path, '') = ${query.path}` : tx`true`;
  const person = actor ? tx`r.user_id = ${toUuid(actor)}` : tx`true`;
  return { state, preset, path, person, all: tx`${state} and ${preset} and ${path} and ${person}` };
}

/** The lowest id that could have been made at an instant: ids hold their time (RFC 9562, version 7). */
export function uuidAt(epochMs: number): string {
  const hex = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

function requireId<Kind extends 'run' | 'session' | 'user'>(kind: Kind, text: string, name: string): Id<Kind> {
  const id = parseId(kind, text);
  if (!id) throw new AppError({ code: 'invalid_request', message: `${name} is not the id of a ${kind}.`, details: { path: name } });
  return id;
}
