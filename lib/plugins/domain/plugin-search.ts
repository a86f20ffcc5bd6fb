import type { PluginManifest } from './manifest.ts';

export type PluginSearch = (manifest: PluginManifest, query: string) => boolean;

/** What a plugin says of itself, and how it sounds. */
interface Said {
  readonly text: string;
  /** From each syllable on to the end of what is said. */
  readonly sounds: readonly string[];
  /** First letters of the syllables of names, keywords and titles. */
  readonly initials: readonly string[];
}

const HAN = /\p{Script=Han}/u;
/** One letter is no sound, and stands in every text. */
const SHORTEST_SOUND = 2;

/**
 * Whether every word of a query stands in what a plugin says of itself: names, description, keywords, publisher, and the
 * names and ids of what it brings, in both languages. A Chinese query is one word, and found within a text; it may be typed
 * as it sounds, from the beginning of a syllable on, or by the first letters of a name. `syllablesOf`: how a text sounds.
 */
export function createPluginSearch(syllablesOf: (text: string) => readonly string[]): PluginSearch {
  const known = new WeakMap<PluginManifest, Said>();
  return (manifest, query) => {
    const said = known.get(manifest) ?? readSaid(manifest, syllablesOf);
    known.set(manifest, said);
    return fold(query)
      .split(/\s+/)
      .filter(Boolean)
      .every((word) => said.text.includes(word) || isSound(said, word));
  };
}

function isSound({ sounds, initials }: Said, word: string): boolean {
  if (word.length < SHORTEST_SOUND) return false;
  return sounds.some((sound) => sound.startsWith(word)) || initials.some((letters) => letters.includes(word));
}

function readSaid(manifest: PluginManifest, syllablesOf: (text: string) => readonly string[]): Said {
  const names = namesOf(manifest);
  const syllables = (texts: readonly string[]) => texts.filter((text) => HAN.test(text)).map(syllablesOf);
  return {
    text: fold([...names, ...Object.values(manifest.description)].join('\n')),
    sounds: syllables([...names, ...Object.values(manifest.description)]).flatMap((spoken) =>
      spoken.map((_syllable, index) => spoken.slice(index).join('')),
    ),
    initials: syllables(names).map((spoken) => spoken.map((syllable) => syllable[0]).join('')),
  };
}

function namesOf(manifest: PluginManifest): string[] {
  return [
    manifest.id,
    ...Object.values(manifest.name),
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
