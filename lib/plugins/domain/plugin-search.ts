import type { PluginManifest } from './manifest.ts';

/**
 * Whether every word of a query stands in what a plugin says of itself: names, description, keywords, publisher, and the
 * names and ids of what it brings, in both languages. A Chinese query is one word, and found within a text. Pure.
 */
export function matchesQuery(manifest: PluginManifest, query: string): boolean {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const said = fold(saidBy(manifest).join('\n'));
  return words.every((word) => said.includes(word));
}

function saidBy(manifest: PluginManifest): string[] {
  return [
    manifest.id,
    ...Object.values(manifest.name),
    ...Object.values(manifest.description),
    manifest.publisher,
    manifest.domain,
    ...manifest.keywords,
    ...manifest.capabilities.flatMap(({ metadata }) => [metadata.id, ...Object.values(metadata.title), ...metadata.keywords]),
    ...manifest.presets.flatMap(({ key, name }) => [key, ...Object.values(name)]),
    ...manifest.agents.flatMap(({ id, title }) => [id, ...Object.values(title)]),
    ...manifest.documents.map(({ title }) => title),
  ];
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
