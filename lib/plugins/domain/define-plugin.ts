import type { PluginManifest } from './manifest.ts';

const SEMANTIC_VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const PRESET_KEY = /^[a-z][a-z0-9-]{0,39}$/;

/**
 * A manifest that holds together. Throws an `Error` that lists every problem: a mistake in a manifest shows when the process
 * starts, not in a tenant.
 */
export function definePlugin(manifest: PluginManifest): PluginManifest {
  const problems = findProblems(manifest);
  if (problems.length > 0) throw new Error(`The manifest of ${manifest.id} does not hold together: ${problems.join('; ')}.`);
  return Object.freeze(manifest);
}

function findProblems(manifest: PluginManifest): string[] {
  return [...problemsOfIdentity(manifest), ...problemsOfRights(manifest), ...problemsOfContents(manifest)];
}

function* problemsOfIdentity({ id, version, changelog }: PluginManifest): Generator<string> {
  if (!/^[A-Z][A-Z0-9_]{1,39}$/.test(id)) yield 'its id is not upper case letters, digits and underscores';
  if (!SEMANTIC_VERSION.test(version)) yield `${version} is no semantic version`;
  if (changelog[0]?.version !== version) yield 'its changelog does not begin with its version';
  for (const release of changelog) {
    if (!SEMANTIC_VERSION.test(release.version)) yield `${release.version} is no semantic version`;
    if (!/^\d{4}-\d{2}-\d{2}$/.test(release.date)) yield `${release.date} is no day`;
  }
  for (const [index, release] of changelog.entries()) {
    const older = changelog[index + 1];
    if (older && compareVersions(release.version, older.version) <= 0) yield `${release.version} stands before ${older.version}`;
  }
}

/** What is consented to is what can be used: no capability may need more than the manifest names. */
function* problemsOfRights({ permissions, capabilities, changelog }: PluginManifest): Generator<string> {
  const declared = new Set<string>(permissions.map(({ permission }) => permission));
  for (const { metadata } of capabilities) {
    for (const needed of metadata.requiredPermissions)
      if (!declared.has(needed)) yield `${metadata.id} needs ${needed}, which is not declared`;
  }
  const released = changelog[0]?.permissions ?? [];
  if (released.length !== declared.size || released.some((permission) => !declared.has(permission))) {
    yield 'the permissions of its newest release are not those it declares';
  }
}

function* problemsOfContents(manifest: PluginManifest): Generator<string> {
  yield* repeated(
    manifest.capabilities.map(({ metadata }) => metadata.id),
    'capability',
  );
  yield* repeated(
    manifest.presets.map(({ key }) => key),
    'preset',
  );
  yield* repeated(
    manifest.documents.map(({ key }) => key),
    'document',
  );
  const agentIds = new Set(manifest.agents.map(({ id }) => id));
  for (const preset of manifest.presets) {
    if (!PRESET_KEY.test(preset.key)) yield `${preset.key} is no key of a preset`;
    if (preset.agentId !== undefined && !agentIds.has(preset.agentId))
      yield `preset ${preset.key} names the unknown agent ${preset.agentId}`;
  }
  for (const { name, order } of manifest.contextContributors) if (order < 100) yield `contributor ${name} has an order below 100`;
  if (!manifest.requiresInstall && manifest.configurationSchema) yield 'what is never installed cannot be configured';
}

function* repeated(keys: readonly string[], thing: string): Generator<string> {
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) yield `${thing} ${key} stands twice`;
    seen.add(key);
  }
}

/** Negative when `a` is the older. Both are semantic versions. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (const [index, part] of left.entries()) {
    const difference = part - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
