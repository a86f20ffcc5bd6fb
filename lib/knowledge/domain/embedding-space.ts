import type { Id } from '#lib/kernel/index.ts';
import type { Price, StoredProvider } from '#lib/models/index.ts';

/** An embedding model that a tenant has chosen, with how far its vectors are made (requirement H-29). */
export interface EmbeddingSpace {
  readonly id: Id<'embeddingSpace'>;
  readonly provider: StoredProvider & { readonly name: string };
  readonly model: string;
  readonly price: Price | null;
  /** Numbers of each vector; null until the first answer. */
  readonly dimensions: number | null;
  /** One serves; after a change the next is built beside it until it is complete. */
  readonly state: 'BUILDING' | 'SERVING';
  /** Why the last attempt failed; null: it did not. */
  readonly problem: { readonly at: Date; readonly message: string } | null;
}

/** Whether the database can compare vectors. */
export interface VectorSupport {
  /** `not-created`: it has the extension, and nobody with the right to has created it. */
  readonly extension: 'ready' | 'not-created' | 'absent';
  readonly version: string | null;
}

/** Why searches use what they use. */
export type SearchReason = 'serving' | 'no-extension' | 'not-created' | 'no-model' | 'building' | 'failing';

/** What a search uses now, and why; pure. */
export function decideServing(
  support: VectorSupport,
  spaces: readonly Pick<EmbeddingSpace, 'state' | 'problem'>[],
): { readonly serving: 'meaning' | 'words'; readonly reason: SearchReason } {
  if (support.extension !== 'ready') return { serving: 'words', reason: support.extension === 'absent' ? 'no-extension' : 'not-created' };
  const serving = spaces.find(({ state }) => state === 'SERVING');
  if (serving) return serving.problem ? { serving: 'words', reason: 'failing' } : { serving: 'meaning', reason: 'serving' };
  return { serving: 'words', reason: spaces.length > 0 ? 'building' : 'no-model' };
}

/** The text that stands for a passage in a space: where it stands is part of what it means. */
export function textToEmbed(passage: { readonly title: string; readonly section: string; readonly text: string }): string {
  return [passage.title, passage.section, passage.text].filter((part) => part !== '').join('\n');
}
