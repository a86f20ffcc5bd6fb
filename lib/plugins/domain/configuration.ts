import type { Json, JsonObject } from '#lib/kernel/index.ts';
import type { PluginManifest } from './manifest.ts';
import type { PluginSettings } from './operation.ts';

/** The properties of a plugin's settings, by name. Own properties only: names may come from outside. */
function propertiesOf({ configurationSchema }: PluginManifest): Map<string, JsonObject> {
  const properties = configurationSchema?.properties;
  if (!isObject(properties)) return new Map();
  return new Map(Object.entries(properties).filter((entry): entry is [string, JsonObject] => isObject(entry[1])));
}

/** Names of the settings that are secrets: `writeOnly` in the schema. */
export function secretNames(manifest: PluginManifest): Set<string> {
  return new Set([...propertiesOf(manifest)].filter(([, schema]) => schema.writeOnly === true).map(([name]) => name));
}

/** What a person sent, parted: settings that may be shown, and secrets. `null` takes a secret away. */
export function partSettings(
  manifest: PluginManifest,
  sent: JsonObject,
): { values: JsonObject; secrets: Readonly<Record<string, string | null>> } {
  const secret = secretNames(manifest);
  const entries = Object.entries(sent);
  return {
    values: Object.fromEntries(entries.filter(([name, value]) => !secret.has(name) && value !== undefined && value !== null)),
    secrets: Object.fromEntries(
      entries
        .filter((entry): entry is [string, string | null] => secret.has(entry[0]) && (entry[1] === null || typeof entry[1] === 'string'))
        .filter(([, value]) => value !== ''),
    ),
  };
}

/** What handlers get: the schema's defaults, what was set, and the opened secrets. Settings the schema has no more are left out. */
export function toConfiguration(
  manifest: PluginManifest,
  { values, secrets }: PluginSettings,
  open: (name: string, secret: PluginSettings['secrets'][string]) => string,
): JsonObject {
  const configuration: Record<string, Json | undefined> = {};
  for (const [name, schema] of propertiesOf(manifest)) {
    const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    const value = Object.hasOwn(values, name) ? values[name] : schema.default;
    if (schema.writeOnly === true && secret) configuration[name] = open(name, secret);
    else if (value !== undefined) configuration[name] = value;
  }
  return configuration;
}

/** Names of settings that the schema demands and nobody has set. */
export function missingSettings(manifest: PluginManifest, { values, secrets }: PluginSettings): string[] {
  const required = manifest.configurationSchema?.required;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const properties = propertiesOf(manifest);
  return names.filter(
    (name) => !Object.hasOwn(values, name) && !Object.hasOwn(secrets, name) && properties.get(name)?.default === undefined,
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
