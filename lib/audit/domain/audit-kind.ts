import type { AuditKind } from '../contract.ts';
import { AUDIT_EVENT_TYPES, type AuditActor, type AuditEventType } from './audit-event.ts';

const REFUSALS: readonly AuditEventType[] = [
  'budget.refused',
  'capability.denied',
  'capability.rejected',
  'capability.unhandled',
  'capability.unknown',
  'permission.denied',
  'sign-in.failed',
];
const READING: readonly AuditEventType[] = ['run.read', 'run.revealed'];
const WORK = /^(?:run|capability|question|approval|approval-grant|agent\.session|model)\./;

/** What kind of thing an entry tells of; a refusal is one whatever it refused. */
function kindOf(type: AuditEventType): AuditKind {
  if (REFUSALS.includes(type)) return 'refusals';
  if (READING.includes(type)) return 'reading';
  if (type.startsWith('export.')) return 'exports';
  if (type.startsWith('sign-in.')) return 'sign-in';
  return WORK.test(type) ? 'runs' : 'changes';
}

export function typesOfKind(kind: AuditKind): AuditEventType[] {
  // A failed sign-in is looked for in both places.
  return AUDIT_EVENT_TYPES.filter((type) => kindOf(type) === kind || (kind === 'sign-in' && type === 'sign-in.failed'));
}

/** How an entry came in, by who is named in it: a key acts through the API, the system where an agent is at work. */
export function viaOf({ kind }: Pick<AuditActor, 'kind'>): 'ui' | 'api' | 'agent' | 'unknown' {
  const vias = { user: 'ui', 'api-key': 'api', system: 'agent', unknown: 'unknown' } as const;
  return vias[kind];
}

export function actorKindsOf(via: 'ui' | 'api' | 'agent' | 'unknown'): AuditActor['kind'][] {
  return (['user', 'api-key', 'system', 'unknown'] as const).filter((kind) => viaOf({ kind }) === via);
}
