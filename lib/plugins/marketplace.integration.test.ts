import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUnitOfWork } from '#db/unit-of-work.ts';
import { verifies } from '#e2e/verifies.ts';
import { composePlugins } from '#lib/composition/plugins.ts';
import { readConfig } from '#lib/config/index.ts';
import { type Id, setFaultHook, systemClock, toUuid } from '#lib/kernel/index.ts';
import type { Actor } from '#lib/tenancy/index.ts';
import { CROUPIER, DICE_1, DICE_2, LOADED } from '#lib/testing/dice-plugins.ts';
import { createRunLab, eventually, type RunLab } from '#lib/testing/run-lab.ts';
import { codeOf } from '#lib/testing/tenancy-world.ts';
import { installPluginBody, listPluginsQuery, type PluginOperationView } from './contract.ts';
import type { PluginManifest } from './domain/manifest.ts';

const KEY = 'sk-dice-77d1e2-LAST';
/** Needs nothing, so that a catalogue without dice holds it. */
const CROUPIER_ALONE: PluginManifest = { ...CROUPIER, dependsOn: [] };

let lab: RunLab;
let admin: Actor;
let sessionId: Id<'session'>;
beforeAll(async () => {
  lab = await createRunLab({ manifests: [DICE_1, CROUPIER, LOADED], timeLimitMs: 20_000 });
});
afterAll(() => lab.close());
beforeEach(async () => {
  ({ actor: admin, sessionId } = await lab.aSession());
});
afterEach(() => setFaultHook(null));

const consentTo = (manifest: PluginManifest, configuration: object = {}) =>
  installPluginBody.parse({
    version: manifest.version,
    permissions: manifest.permissions.map(({ permission }) => permission),
    configuration,
  });
const begin = (manifest: PluginManifest, configuration?: object, actor = admin) =>
  lab.marketplace.installPlugin(actor, manifest.id, consentTo(manifest, configuration));
const ended = (actor: Actor, { id }: { id: string }): Promise<PluginOperationView> =>
  eventually(async () => {
    const operation = await lab.marketplace.getPluginOperation(actor, id as Id<'pluginOperation'>);
    return operation.state !== 'RUNNING' && operation;
  });
const install = async (manifest: PluginManifest, configuration?: object, actor = admin) =>
  ended(actor, await begin(manifest, configuration, actor));
const installDice = (actor = admin) => install(DICE_1, { sides: 20, apiKey: KEY }, actor);
const list = (query: object = {}, actor = admin) => lab.marketplace.listPlugins(actor, listPluginsQuery.parse(query));
const idsOf = async (query: object) => (await list(query)).items.map(({ id }) => id);
const stateOf = async (id: string, actor = admin) => (await lab.marketplace.getPlugin(actor, id)).state;
const documentsOf = async ({ scope }: Actor) =>
  (await lab.owner`select title from knowledge_document where tenant_id = ${toUuid(scope.tenantId)} order by title`).map(
    ({ title }) => title,
  );
const auditOf = async ({ scope }: Actor) =>
  (
    await lab.owner`select type, payload from audit_event where tenant_id = ${toUuid(scope.tenantId)} and type like 'plugin.%' order by id`
  ).map(({ type, payload }) => ({ type, details: JSON.parse(String(payload)).details }));
const ask = async (actor: Actor, session: Id<'session'>, text: string) => {
  const { runId } = await lab.runs.submitMessage(actor, { sessionId: session, text });
  await lab.readAll(actor, runId);
  return lab.runs.getRun(actor, runId);
};
/** A session of the same person, under a preset of theirs. */
const dicePresetSession = async (actor = admin) => (await lab.createSession(actor, { preset: 'dice' })).id as Id<'session'>;
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => error.message,
  );

describe('the catalogue', () => {
  verifies('P-19', 'is in code, and what a tenant has of it in its table', async () => {
    expect((await list()).items.map(({ id, state }) => [id, state])).toEqual([
      ['DICE', 'available'],
      ['CROUPIER', 'available'],
      ['LOADED', 'available'],
    ]);
    expect(await installDice()).toMatchObject({ state: 'SUCCEEDED' });
    expect(await lab.installedPluginIds(admin)).toEqual(['DICE']);
    expect(await list({ state: 'in-use' })).toMatchObject({ items: [{ id: 'DICE', state: 'installed' }], installedCount: 1 });
    const { actor: other } = await lab.aSession();
    expect((await list({}, other)).items.map(({ state }) => state)).toEqual(['available', 'available', 'available']);
    expect(await lab.installedPluginIds(other)).toEqual([]);
  });

  it('is found by names, keywords and tool names, in both languages, and filtered', async () => {
    expect(await idsOf({ q: 'DICE.ROLL' })).toEqual(['DICE']);
    expect(await idsOf({ q: '骰子桌' })).toEqual(['DICE']);
    expect(await idsOf({ q: '概率' })).toEqual(['DICE', 'CROUPIER', 'LOADED']);
    expect(await idsOf({ q: 'loaded chance' })).toEqual(['LOADED']);
    expect(await idsOf({ q: 'touzizhuo' })).toEqual(['DICE']);
    expect(await idsOf({ q: 'tzz' })).toEqual(['DICE']);
    expect(await idsOf({ q: 'ouzi' })).toEqual([]);
    expect(await idsOf({ q: 'chess' })).toEqual([]);
    expect(await idsOf({ permission: 'capability:invoke' })).toEqual(['DICE']);
    expect(await idsOf({ kind: 'agent' })).toEqual([]);
  });
});

describe('an installation', () => {
  it('goes through its stages on the record, and brings documents and settings', async () => {
    const begun = await begin(DICE_1, { apiKey: KEY });
    expect(begun).toMatchObject({ state: 'RUNNING', kind: 'install', version: '1.0.0' });
    const operation = await ended(admin, begun);
    expect(operation.stages.map(({ stage, state }) => [stage, state])).toEqual([
      ['verify', 'done'],
      ['configure', 'done'],
      ['knowledge', 'done'],
      ['check', 'done'],
      ['activate', 'done'],
    ]);
    expect(await documentsOf(admin)).toEqual(['Rules of dice']);
    expect(await lab.marketplace.getPlugin(admin, 'DICE')).toMatchObject({
      state: 'installed',
      configuration: { values: {}, secretHints: { apiKey: 'LAST' } },
      snapshots: [{ secretNames: ['apiKey'] }],
    });
    expect((await auditOf(admin)).map(({ type }) => type)).toEqual(['plugin.install-started', 'plugin.installed']);
  });

  it('takes what was shown, and nothing else', async () => {
    const body = consentTo(DICE_1, { apiKey: KEY });
    expect(await codeOf(lab.marketplace.installPlugin(admin, 'DICE', { ...body, permissions: [] }))).toBe('conflict');
    expect(await codeOf(lab.marketplace.installPlugin(admin, 'DICE', { ...body, version: '0.9.0' }))).toBe('conflict');
    expect(await codeOf(lab.marketplace.installPlugin(admin, 'NONESUCH', body))).toBe('not_found');
    expect(await codeOf(begin(DICE_1, { apiKey: KEY, sides: 1 }))).toBe('invalid_request');
    expect(await codeOf(begin(DICE_1, { apiKey: KEY, slides: 6 }))).toBe('invalid_request');
    expect(await codeOf(begin(DICE_1))).toBe('invalid_request');
    expect(await stateOf('DICE')).toBe('available');
    await installDice();
    expect(await codeOf(begin(DICE_1, { apiKey: KEY }))).toBe('conflict');
  });

  it('that fails takes everything back and names the stage', async () => {
    expect(await install(LOADED)).toMatchObject({
      state: 'FAILED',
      error: { stage: 'check', message: 'the dice fall on one side only' },
      stages: [{ state: 'done' }, { state: 'done' }, { state: 'done' }, { stage: 'check', state: 'failed' }, { state: 'waiting' }],
    });
    expect(await documentsOf(admin)).toEqual([]);
    expect(await stateOf('LOADED')).toBe('available');
    expect(await install(CROUPIER)).toMatchObject({ error: { stage: 'verify', message: 'it needs DICE, which is not installed' } });
    expect((await auditOf(admin)).filter(({ type }) => type === 'plugin.install-failed').map(({ details }) => details.stage)).toEqual([
      'check',
      'verify',
    ]);
  });

  it.each(['plugin.verify', 'plugin.knowledge', 'plugin.check'])(
    'whose process ends after %s is finished by the reconciler',
    async (point) => {
      const isGone = new Promise<void>((resolve) => {
        setFaultHook((passed) => {
          if (passed !== point) return;
          resolve();
          throw new Error('the process is gone');
        });
      });
      const begun = await begin(DICE_1, { apiKey: KEY });
      await isGone;
      setFaultHook(null);
      expect(await stateOf('DICE')).toBe('installing');
      expect(await ended(admin, begun)).toMatchObject({ state: 'SUCCEEDED' });
      expect(await documentsOf(admin)).toEqual(['Rules of dice']);
      expect((await auditOf(admin)).map(({ type }) => type)).toEqual(['plugin.install-started', 'plugin.installed']);
    },
  );

  it('is one at a time', async () => {
    const outcomes = await Promise.allSettled([begin(DICE_1, { apiKey: KEY }), begin(DICE_1, { apiKey: KEY })]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') await ended(admin, outcome.value);
    expect(await documentsOf(admin)).toEqual(['Rules of dice']);
  });
});

describe('what is installed', () => {
  verifies('P-21', 'decides whether a session can begin under a preset', async () => {
    expect(await refusal(lab.createSession(admin, { preset: 'dice' }))).toBe('plugin not installed: DICE');
    expect(await codeOf(lab.createSession(admin, { preset: 'nonesuch' }))).toBe('unknown_preset');
    expect((await lab.createSession(admin, { preset: null })).preset).toBe('default');
    await installDice();
    expect((await lab.createSession(admin, { preset: 'dice' })).preset).toBe('dice');
    const { actor: other } = await lab.aSession();
    expect(await refusal(lab.createSession(other, { preset: 'dice' }))).toBe('plugin not installed: DICE');
    await lab.marketplace.switchPlugin(admin, 'DICE', { isEnabled: false });
    expect(await refusal(lab.createSession(admin, { preset: 'dice' }))).toBe('plugin disabled: DICE');
  });

  verifies('P-22', 'decides which capabilities exist, for each call; what is removed widens neither', async () => {
    expect(await ask(admin, sessionId, 'dice.roll')).toMatchObject({
      state: 'FINISH_ERROR',
      error: { message: expect.stringContaining('unknown capability: dice.roll') },
    });
    await installDice();
    expect((await ask(admin, sessionId, 'dice.roll')).answer).toBe(`a die of 20 sides, key ${KEY}`);
    const { actor: other, sessionId: theirs } = await lab.aSession();
    expect((await ask(other, theirs, 'dice.roll')).state).toBe('FINISH_ERROR');

    const diced = await dicePresetSession();
    expect((await ask(admin, diced, 'dice.roll')).state).toBe('FINISH_OK');
    await lab.marketplace.uninstallPlugin(admin, 'DICE', { confirm: 'DICE' });
    expect((await ask(admin, sessionId, 'dice.roll')).error?.message).toContain('unknown capability: dice.roll');
    expect(await lab.runs.listCapabilities(admin)).not.toContainEqual(expect.objectContaining({ id: 'dice.roll' }));
    expect(await refusal(lab.runs.submitMessage(admin, { sessionId: diced, text: 'dice.roll' }))).toBe('plugin not installed: DICE');
    expect(await documentsOf(admin)).toEqual([]);
    expect(await lab.installedPluginIds(admin)).toEqual([]);
  });

  it('is asked at the invocation too: a run that goes on when the plugin goes ends with the true reason', async () => {
    await installDice();
    lab.effects.hold('slow');
    const { runId } = await lab.runs.submitMessage(admin, { sessionId, text: 'test.effect-once slow | dice.roll' });
    await eventually(() => lab.effects.of('slow').length > 0);
    await lab.marketplace.uninstallPlugin(admin, 'DICE', { confirm: 'DICE' });
    lab.effects.release('slow');
    await lab.readAll(admin, runId);
    const run = await lab.runs.getRun(admin, runId);
    expect(run).toMatchObject({ state: 'FINISH_ERROR', error: { message: 'unknown capability: dice.roll' } });
  });

  it('is asked once more when a queued run begins', async () => {
    await installDice();
    const diced = await dicePresetSession();
    lab.effects.hold('first');
    const first = await lab.runs.submitMessage(admin, { sessionId: diced, text: 'test.effect-once first' });
    await eventually(() => lab.effects.of('first').length > 0);
    const second = await lab.runs.submitMessage(admin, { sessionId: diced, text: 'test.effect-once second' });
    await lab.marketplace.uninstallPlugin(admin, 'DICE', { confirm: 'DICE' });
    lab.effects.release('first');
    await lab.readAll(admin, second.runId);
    expect((await lab.runs.getRun(admin, first.runId)).state).toBe('FINISH_OK');
    expect(await lab.runs.getRun(admin, second.runId)).toMatchObject({
      state: 'FINISH_ERROR',
      error: { message: 'plugin not installed: DICE' },
    });
  });

  it('can be disabled and enabled, unless a neighbour stands in the way', async () => {
    await installDice();
    await install(CROUPIER);
    expect(await codeOf(lab.marketplace.switchPlugin(admin, 'DICE', { isEnabled: false }))).toBe('conflict');
    await lab.marketplace.switchPlugin(admin, 'CROUPIER', { isEnabled: false });
    expect(await lab.marketplace.switchPlugin(admin, 'DICE', { isEnabled: false })).toMatchObject({ state: 'disabled' });
    expect((await ask(admin, sessionId, 'dice.roll')).state).toBe('FINISH_ERROR');
    expect(await codeOf(lab.marketplace.switchPlugin(admin, 'CROUPIER', { isEnabled: true }))).toBe('conflict');
    await lab.marketplace.switchPlugin(admin, 'DICE', { isEnabled: true });
    expect((await ask(admin, sessionId, 'dice.roll')).state).toBe('FINISH_OK');
    expect((await auditOf(admin)).map(({ type }) => type).slice(-3)).toEqual(['plugin.disabled', 'plugin.disabled', 'plugin.enabled']);
  });
});

describe('settings', () => {
  it('are sealed where they are secret, kept when not named, and never shown', async () => {
    await installDice();
    const view = await lab.marketplace.configurePlugin(admin, 'DICE', { configuration: { sides: 8 } });
    expect(view.configuration).toEqual({ values: { sides: 8 }, secretHints: { apiKey: 'LAST' } });
    expect((await ask(admin, sessionId, 'dice.roll')).answer).toBe(`a die of 8 sides, key ${KEY}`);
    const stored = JSON.stringify([
      ...(await lab.owner`select * from tenant_plugin_install`),
      ...(await lab.owner`select * from plugin_operation`),
      ...(await lab.owner`select * from plugin_settings_snapshot`),
      ...(await lab.owner`select * from audit_event where type like 'plugin.%'`),
    ]);
    expect(stored).not.toContain(KEY);
    expect(JSON.stringify([view, await list()])).not.toContain(KEY);
    expect((await auditOf(admin)).at(-1)).toEqual({
      type: 'plugin.configured',
      details: { before: { sides: 20 }, after: { sides: 8 }, secretsChanged: [] },
    });
    expect(await codeOf(lab.marketplace.configurePlugin(admin, 'DICE', { configuration: { apiKey: null } }))).toBe('invalid_request');
  });

  it('go back to what they were, secrets too, in one step', async () => {
    await installDice();
    await lab.marketplace.configurePlugin(admin, 'DICE', { configuration: { sides: 4, apiKey: 'another-key-NEWS' } });
    const { snapshots } = await lab.marketplace.getPlugin(admin, 'DICE');
    const back = { snapshotId: snapshots.at(-1)?.id as Id<'pluginSnapshot'> };
    await lab.marketplace.rollBackPluginSettings(admin, 'DICE', back);
    expect((await ask(admin, sessionId, 'dice.roll')).answer).toBe(`a die of 20 sides, key ${KEY}`);
    expect((await auditOf(admin)).at(-1)?.details).toMatchObject({ rolledBackTo: back.snapshotId, secretsChanged: ['apiKey'] });
    const { actor: other } = await lab.aSession();
    await installDice(other);
    expect(await codeOf(lab.marketplace.rollBackPluginSettings(other, 'DICE', back))).toBe('not_found');
  });
});

/** The same deployment, with another build's catalogue. */
const laterBuild = (manifests: readonly PluginManifest[] = [DICE_2]) => {
  const config = readConfig({ DATABASE_URL: 'postgres://nowhere', BAILIWICK_SECRET: 'x'.repeat(40) });
  const unitOfWork = createUnitOfWork(lab.database.orm, systemClock);
  const plugins = composePlugins({ config, clock: systemClock, database: lab.database, unitOfWork, manifests });
  return { ...plugins, ...plugins.useCases(lab.host) };
};

describe('an upgrade', () => {
  it('that asks for more widens nothing until somebody consents to it', async () => {
    await installDice();
    const later = laterBuild();
    expect(await later.getPlugin(admin, 'DICE')).toMatchObject({
      state: 'needs-consent',
      version: '2.0.0',
      installedVersion: '1.0.0',
      permissions: [
        { permission: 'capability:invoke', isConsented: true },
        { permission: 'memory:write', isConsented: false },
      ],
      changelog: [{ version: '2.0.0', addedPermissions: ['memory:write'] }, { version: '1.0.0' }],
    });
    const enabled = await later.access.listEnabled(admin.scope.tenantId);
    expect([...(enabled.get('DICE')?.permissions ?? [])]).toEqual(['capability:invoke']);

    expect(await codeOf(later.installPlugin(admin, 'DICE', consentTo(DICE_1)))).toBe('conflict');
    const operation = await later.installPlugin(admin, 'DICE', consentTo(DICE_2));
    expect(operation.kind).toBe('upgrade');
    await ended(admin, operation);
    expect(await later.getPlugin(admin, 'DICE')).toMatchObject({
      state: 'installed',
      installedVersion: '2.0.0',
      configuration: { values: { sides: 20 }, secretHints: { apiKey: 'LAST' } },
    });
    expect(await documentsOf(admin)).toEqual(['Rules of dice']);
    expect((await auditOf(admin)).at(-1)).toMatchObject({ type: 'plugin.upgraded', details: { before: { version: '1.0.0' } } });
  });
});

describe('a plugin that another build no longer brings', () => {
  it('is listed as withdrawn, has a page that says so, and can be uninstalled', async () => {
    await installDice();
    const later = laterBuild([CROUPIER_ALONE]);
    expect((await later.listPlugins(admin, {})).items.map(({ id, state }) => [id, state])).toEqual([
      ['CROUPIER', 'available'],
      ['DICE', 'withdrawn'],
    ]);
    expect(await later.getPlugin(admin, 'DICE')).toMatchObject({
      state: 'withdrawn',
      installedVersion: '1.0.0',
      capabilities: [],
      configuration: { values: {}, secretHints: {} },
      dependents: { documents: 1 },
    });
    expect(await codeOf(later.getPlugin(admin, 'LOADED'))).toBe('not_found');
    expect(await codeOf(later.uninstallPlugin(admin, 'DICE', { confirm: null }))).toBe('confirmation_required');
    await later.uninstallPlugin(admin, 'DICE', { confirm: 'DICE' });
    expect(await codeOf(later.getPlugin(admin, 'DICE'))).toBe('not_found');
    expect(await documentsOf(admin)).toEqual([]);
    const { actor: other } = await lab.aSession();
    expect(await codeOf(later.getPlugin(other, 'DICE'))).toBe('not_found');
  });
});

describe('removing a plugin', () => {
  it('says what depends on it, and wants its id typed only then', async () => {
    await installDice();
    await install(CROUPIER);
    const diced = await dicePresetSession();
    expect((await lab.marketplace.getPlugin(admin, 'DICE')).dependents).toEqual({
      sessions: [{ preset: 'dice', count: 1 }],
      openRuns: 0,
      plugins: [{ id: 'CROUPIER', name: CROUPIER.name }],
      documents: 1,
    });
    expect(await codeOf(lab.marketplace.uninstallPlugin(admin, 'DICE', { confirm: 'DICE' }))).toBe('conflict');
    await lab.marketplace.uninstallPlugin(admin, 'CROUPIER', { confirm: null });
    expect(await codeOf(lab.marketplace.uninstallPlugin(admin, 'DICE', { confirm: null }))).toBe('confirmation_required');
    expect(await codeOf(lab.marketplace.uninstallPlugin(admin, 'DICE', { confirm: 'dice' }))).toBe('confirmation_required');
    expect(await stateOf('DICE')).toBe('installed');
    await lab.marketplace.uninstallPlugin(admin, 'DICE', { confirm: 'DICE' });
    expect(await codeOf(lab.marketplace.uninstallPlugin(admin, 'DICE', { confirm: 'DICE' }))).toBe('plugin_not_installed');
    expect((await auditOf(admin)).at(-1)).toMatchObject({ type: 'plugin.uninstalled', details: { sessions: 1, documents: 1 } });
    // What was said stays readable.
    expect((await lab.createSession(admin, { preset: null })).id).not.toBe(diced);
  });

  it('leaves a document that somebody has changed', async () => {
    await installDice();
    await lab.owner`update knowledge_document set version = version + 1 where tenant_id = ${toUuid(admin.scope.tenantId)}`;
    await lab.marketplace.uninstallPlugin(admin, 'DICE', { confirm: null });
    expect(await documentsOf(admin)).toEqual(['Rules of dice']);
  });
});

const member = () => lab.aColleague(admin, ['plugin:read', 'plugin:request']);

describe('a request', () => {
  it('is approved by installing, refused with a note, or withdrawn, all on the record', async () => {
    const [ada, ben] = [await member(), await member()];
    const asked = await lab.marketplace.requestPlugin(ada, 'DICE', { reason: 'for the game' });
    expect(await codeOf(lab.marketplace.requestPlugin(ada, 'DICE', { reason: 'again' }))).toBe('conflict');
    expect((await lab.marketplace.getPlugin(ada, 'DICE')).ownRequest).toMatchObject({ id: asked.id, state: 'OPEN' });
    await installDice();
    expect((await lab.marketplace.listPluginRequests(ada, {})).items).toMatchObject([
      { state: 'APPROVED', decidedBy: { id: admin.scope.userId } },
    ]);
    expect(await codeOf(lab.marketplace.requestPlugin(ada, 'DICE', { reason: 'why not' }))).toBe('conflict');

    const second = await lab.marketplace.requestPlugin(ben, 'LOADED', { reason: 'to win' });
    const refused = { decision: 'refuse', note: 'no' } as const;
    const secondId = second.id as Id<'pluginRequest'>;
    expect(await codeOf(lab.marketplace.decidePluginRequest(ben, secondId, refused))).toBe('permission_denied');
    expect(await codeOf(lab.marketplace.decidePluginRequest(ada, secondId, { decision: 'withdraw', note: null }))).toBe('not_found');
    expect(await lab.marketplace.decidePluginRequest(admin, secondId, refused)).toMatchObject({ state: 'REFUSED', note: 'no' });
    expect(await codeOf(lab.marketplace.decidePluginRequest(admin, secondId, refused))).toBe('already_decided');
    const third = await lab.marketplace.requestPlugin(ben, 'LOADED', { reason: 'please' });
    await lab.marketplace.decidePluginRequest(ben, third.id as Id<'pluginRequest'>, { decision: 'withdraw', note: null });
    expect((await lab.marketplace.listPluginRequests(ben, {})).items.map(({ state }) => state)).toEqual(['WITHDRAWN', 'REFUSED']);
    expect((await lab.marketplace.listPluginRequests(admin, { state: 'APPROVED' })).items).toHaveLength(1);
    const types = (await auditOf(admin)).map(({ type }) => type).filter((type) => String(type).includes('request'));
    expect(types).toEqual([
      'plugin.requested',
      'plugin.request-approved',
      'plugin.requested',
      'plugin.request-refused',
      'plugin.requested',
      'plugin.request-withdrawn',
    ]);
  });
});

describe('rights', () => {
  verifies('P-18', 'are asked for by every use case, and nothing of another tenant is found', async () => {
    const begun = await begin(DICE_1, { apiKey: KEY });
    await ended(admin, begun);
    const reader = await lab.aColleague(admin, ['plugin:read']);
    const nobody = await lab.aColleague(admin, []);
    const { marketplace } = lab;
    for (const refused of [
      () => marketplace.installPlugin(reader, 'LOADED', consentTo(LOADED)),
      () => marketplace.switchPlugin(reader, 'DICE', { isEnabled: false }),
      () => marketplace.configurePlugin(reader, 'DICE', { configuration: { apiKey: KEY } }),
      () => marketplace.rollBackPluginSettings(reader, 'DICE', { snapshotId: 'pls_x' as Id<'pluginSnapshot'> }),
      () => marketplace.uninstallPlugin(reader, 'DICE', { confirm: 'DICE' }),
      () => marketplace.requestPlugin(reader, 'LOADED', { reason: 'x' }),
      () => marketplace.listPlugins(nobody, {}),
      () => marketplace.getPlugin(nobody, 'DICE'),
      () => marketplace.listPluginRequests(nobody, {}),
      () => marketplace.getPluginOperation(nobody, begun.id as Id<'pluginOperation'>),
    ]) {
      expect([refused.toString(), await codeOf(refused())]).toEqual([refused.toString(), 'permission_denied']);
    }
    expect((await marketplace.getPlugin(reader, 'DICE')).configuration).toEqual({ values: {}, secretHints: {} });
    const { actor: other } = await lab.aSession();
    const request = await marketplace.requestPlugin(admin, 'LOADED', { reason: 'x' });
    expect(await codeOf(marketplace.getPluginOperation(other, begun.id as Id<'pluginOperation'>))).toBe('not_found');
    expect(
      await codeOf(marketplace.decidePluginRequest(other, request.id as Id<'pluginRequest'>, { decision: 'refuse', note: null })),
    ).toBe('not_found');
    expect(await codeOf(marketplace.switchPlugin(other, 'DICE', { isEnabled: false }))).toBe('plugin_not_installed');
    expect(await stateOf('DICE')).toBe('installed');
  });
});
