import type { CapabilityMetadata } from '../domain/capability.ts';
import { REQUEST_WINDOW } from '../domain/request-features.ts';
import { type Field, indexCapabilities, type TermMatch } from './capability-index.ts';
import { scanTokens } from './tokenizer.ts';

/** A capability that discovery weighed, with its score (0 to 1) and the reasons in words. */
export interface DiscoveredCapability {
  readonly capabilityId: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/**
 * Finds the capabilities whose words a request uses, best first (requirement T-04): keywords tell most, then title, domain,
 * examples and description, and a word that many capabilities share tells less. Knows no capability by name. Empty when
 * nothing matches.
 */
export function discoverCapabilities(request: {
  text: string;
  capabilities: readonly CapabilityMetadata[];
  limit: number;
  locale?: 'en' | 'zh-CN';
}): DiscoveredCapability[] {
  const text = request.text.slice(0, REQUEST_WINDOW);
  const index = indexCapabilities(request.capabilities);
  const matches = index.match(text, scanTokens(text));
  return index.capabilities
    .map((capability, position) => ({
      capabilityId: capability.id,
      score: Math.round(lexicalScore(matches[position] ?? []) * 100) / 100,
      reasons: explainMatches(matches[position] ?? [], request.locale ?? 'en'),
    }))
    .filter((candidate) => candidate.score > 0)
    .sort((a, b) => b.score - a.score || (a.capabilityId < b.capabilityId ? -1 : 1))
    .slice(0, Math.max(0, request.limit));
}

/**
 * The weights of the matches, saturated to 0 to 1: each further word adds less. A term counts once, and a word inside a
 * matched phrase only for what the phrase leaves.
 */
export function lexicalScore(matches: readonly TermMatch[]): number {
  const best = new Map<string, number>();
  for (const match of matches) best.set(match.term, Math.max(best.get(match.term) ?? 0, match.weight));
  return 1 - [...best.values()].reduce((doubt, weight) => doubt * (1 - weight), 1);
}

const FIELD_NAMES: Readonly<Record<Field, { readonly en: string; readonly 'zh-CN': string }>> = {
  keyword: { en: 'keyword', 'zh-CN': '关键词' },
  'part of a keyword': { en: 'keyword with', 'zh-CN': '关键词含' },
  title: { en: 'title', 'zh-CN': '名称' },
  example: { en: 'example', 'zh-CN': '示例' },
  description: { en: 'description', 'zh-CN': '说明' },
  domain: { en: 'domain', 'zh-CN': '领域' },
};

/** The terms that told most, as `keyword "weather"`. */
export function explainMatches(matches: readonly TermMatch[], locale: 'en' | 'zh-CN'): string[] {
  const seen = new Set<string>();
  return [...matches]
    .sort((a, b) => b.weight - a.weight)
    .filter((match) => match.weight >= 0.05 && !seen.has(match.term) && seen.add(match.term))
    .slice(0, 3)
    .map((match) =>
      locale === 'en' ? `${FIELD_NAMES[match.field].en} "${match.term}"` : `${FIELD_NAMES[match.field]['zh-CN']}“${match.term}”`,
    );
}
