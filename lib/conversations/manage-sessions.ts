import { AppError, type Id, newId, type UnitOfWork } from '#lib/kernel/index.ts';
import { logSessionMove } from '#lib/telemetry/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import type { PresetView, SessionPage, SessionView, TranscriptView } from './contract.ts';
import { type PresetEntry, requireOpenPreset, toPresetView } from './domain/preset.ts';
import { checkpointThreadId, closeSession } from './domain/session.ts';
import type { ConversationStores } from './ports.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork<ConversationStores>;
  readonly log: { info(context: object, message: string): void };
  /** The platform's, and those of every plugin that can be installed. */
  readonly presets: readonly PresetEntry[];
}

/**
 * A session under one of the presets; null means `default` (requirement P-21). Throws `unknown_preset`, and
 * `plugin_not_installed` for the preset of a plugin that this workspace does not have.
 */
export async function createSession(
  { unitOfWork, log, presets }: Dependencies,
  actor: Actor,
  request: { preset?: string | null | undefined; title?: string | undefined },
): Promise<SessionView> {
  const preset = request.preset ?? 'default';
  const id = newId('session');
  const session = await unitOfWork.within(actor.scope, async ({ sessions, installs, audit }) => {
    requireOpenPreset(presets, preset, await installs.list());
    await sessions.create({ id, preset, title: request.title ?? '', checkpointThreadId: checkpointThreadId(actor.scope.tenantId, id) });
    await audit.record({ type: 'agent.session.created', target: { kind: 'session', id }, details: { preset } });
    return getOrThrow(await sessions.find(id));
  });
  log.info({ event: 'agent.session.created', sessionId: id, tenantId: actor.scope.tenantId, preset }, 'agent.session.created');
  return session;
}

export async function listSessions(
  { unitOfWork }: Pick<Dependencies, 'unitOfWork'>,
  actor: Actor,
  query: { cursor?: string | undefined; limit?: number; q?: string | undefined; archived?: boolean },
): Promise<SessionPage> {
  return unitOfWork.within(actor.scope, ({ sessions }) =>
    sessions.list({ cursor: query.cursor ?? null, limit: query.limit ?? 50, q: query.q ?? null, archived: query.archived ?? false }),
  );
}

/** Throws `session_not_found`. */
export async function getTranscript(
  { unitOfWork }: Pick<Dependencies, 'unitOfWork'>,
  actor: Actor,
  id: Id<'session'>,
): Promise<TranscriptView> {
  return unitOfWork.within(actor.scope, async ({ sessions }) => getOrThrow(await sessions.transcript(id)));
}

/** Throws `session_not_found`. */
export async function updateSession(
  { unitOfWork }: Pick<Dependencies, 'unitOfWork'>,
  actor: Actor,
  id: Id<'session'>,
  change: { title?: string | undefined; isPinned?: boolean | undefined; isArchived?: boolean | undefined },
): Promise<SessionView> {
  return unitOfWork.within(actor.scope, async ({ sessions, audit }) => {
    const given = {
      ...(change.title !== undefined && { title: change.title }),
      ...(change.isPinned !== undefined && { isPinned: change.isPinned }),
      ...(change.isArchived !== undefined && { isArchived: change.isArchived }),
    };
    if (!(await sessions.update(id, given))) throw notFound();
    await audit.record({ type: 'agent.session.updated', target: { kind: 'session', id }, details: given });
    return getOrThrow(await sessions.find(id));
  });
}

/** Closes it for good: it is found no more, its record stays. Throws `session_not_found`, and `conflict` while a run of it is going on. */
export async function deleteSession({ unitOfWork }: Pick<Dependencies, 'unitOfWork'>, actor: Actor, id: Id<'session'>): Promise<void> {
  const move = await unitOfWork.within(actor.scope, async ({ sessions, audit }) => {
    const transcript = getOrThrow(await sessions.transcript(id));
    if (transcript.activeRunIds.length > 0) {
      throw new AppError({
        code: 'conflict',
        message: 'A run of this session is going on. Stop it first.',
        details: { runIds: transcript.activeRunIds },
      });
    }
    const closing = closeSession(transcript.session.state, 'removed by its person');
    await sessions.remove(id, closing);
    await audit.record({ type: 'agent.session.deleted', target: { kind: 'session', id, name: transcript.session.title } });
    return closing;
  });
  if (move) logSessionMove({ sessionId: id, move: move.payload, tokenUsage: { input: 0, output: 0 } });
}

/** Every preset there is, those of plugins that are not installed locked. */
export async function listPresets(
  { unitOfWork, presets }: Pick<Dependencies, 'unitOfWork' | 'presets'>,
  actor: Actor,
): Promise<PresetView[]> {
  const installed = await unitOfWork.within(actor.scope, ({ installs }) => installs.list());
  return presets.map((entry) => toPresetView(entry, installed));
}

function getOrThrow<Found>(found: Found | null): Found {
  if (found === null) throw notFound();
  return found;
}

function notFound(): AppError {
  return new AppError({ code: 'session_not_found', message: 'session not found' });
}
