import { AppError, type Id, type JsonObject } from '#lib/kernel/index.ts';
import { missingSettings, partSettings, toConfiguration } from './domain/configuration.ts';
import type { PluginManifest } from './domain/manifest.ts';
import type { PluginSettings, SealedSecret } from './domain/operation.ts';
import type { PluginDependencies } from './plugin-dependencies.ts';

export const NO_SETTINGS: PluginSettings = { values: {}, secrets: {} };

/**
 * What a person sent over what was set before: values are replaced as a whole, secrets one by one. Secrets are sealed here.
 * Throws `invalid_request` naming the fields that the schema refuses.
 */
export function acceptSettings(
  dependencies: Pick<PluginDependencies, 'sealer' | 'validator'>,
  request: { tenantId: Id<'tenant'>; manifest: PluginManifest; before: PluginSettings; sent: JsonObject },
): PluginSettings {
  const { tenantId, manifest, before, sent } = request;
  const { values, secrets } = partSettings(manifest, sent);
  const sealed: Record<string, SealedSecret> = { ...before.secrets };
  for (const [name, plain] of Object.entries(secrets)) {
    if (plain === null) delete sealed[name];
    else sealed[name] = { ...dependencies.sealer.seal(plain, secretContext(tenantId, manifest.id, name)), hint: hintOf(plain) };
  }
  const accepted = { values, secrets: sealed };
  requireValid(dependencies, tenantId, manifest, accepted);
  return accepted;
}

/** Throws `invalid_request`, with `details.fields`, unless the settings fit the manifest's schema. */
export function requireValid(
  dependencies: Pick<PluginDependencies, 'sealer' | 'validator'>,
  tenantId: Id<'tenant'>,
  manifest: PluginManifest,
  settings: PluginSettings,
): void {
  if (!manifest.configurationSchema) {
    if (Object.keys(settings.values).length === 0) return;
    throw new AppError({ code: 'invalid_request', message: `${manifest.id} has nothing to set.` });
  }
  const missing = missingSettings(manifest, settings).map((name) => ({ path: name, message: 'is required' }));
  const configuration = openSettings(dependencies, tenantId, manifest, settings);
  // What the schema does not name is refused and not dropped: it may be a slip of the keyboard.
  const unknown = Object.keys(settings.values).filter((name) => !Object.hasOwn(configuration, name));
  const checked = dependencies.validator.validate(manifest.configurationSchema, configuration);
  const invalid = checked.ok ? [] : checked.problems.filter(({ path }) => path !== '');
  const fields = [...missing, ...invalid, ...unknown.map((name) => ({ path: name, message: 'is no setting of this plugin' }))];
  if (fields.length === 0 && checked.ok) return;
  throw new AppError({
    code: 'invalid_request',
    message: `These settings do not fit: ${fields.map(({ path, message }) => `${path} ${message}`).join('; ') || 'the schema refuses them'}.`,
    details: { fields },
  });
}

/** What handlers get, secrets opened. Throws `conflict` when one was sealed by another deployment. */
export function openSettings(
  { sealer }: Pick<PluginDependencies, 'sealer'>,
  tenantId: Id<'tenant'>,
  manifest: PluginManifest,
  settings: PluginSettings,
): JsonObject {
  return toConfiguration(manifest, settings, (name, secret) => sealer.open(secret, secretContext(tenantId, manifest.id, name)));
}

/** Authenticated with each secret: one that is moved to another tenant, plugin or name does not open. */
function secretContext(tenantId: Id<'tenant'>, pluginId: string, name: string): string {
  return `plugin/${tenantId}/${pluginId}/${name}`;
}

function hintOf(plain: string): string {
  return plain.length > 8 ? plain.slice(-4) : '••••';
}
