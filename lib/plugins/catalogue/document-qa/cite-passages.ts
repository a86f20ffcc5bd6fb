import { tokenize } from '#lib/capabilities/index.ts';

/** A passage as the search gives it. */
export interface CitablePassage {
  readonly documentId: string;
  readonly title: string;
  /** Headings above it; '' at the top. */
  readonly section: string;
  readonly excerpt: string;
  /** 0 to 1. */
  readonly score: number;
}

export interface CitedSentence {
  /** Word for word. */
  readonly text: string;
  /** Number of its source, from 1. */
  readonly source: number;
}

export interface CitedAnswer {
  readonly sentences: readonly CitedSentence[];
  /** Passages that are cited, in the order of their numbers. */
  readonly sources: readonly CitablePassage[];
  /** 0 to 1: how much of the question the sentences have. */
  readonly coverage: number;
}

/** Below this much of the question in one sentence there is no answer, only something alike. */
const LEAST_COVERAGE = 0.34;

/**
 * The sentences of the passages that have most of the question, best first, each with its source (requirement: an answer that
 * can be checked). No sentence is changed. Empty when none comes near the question.
 */
export function citePassages(question: string, passages: readonly CitablePassage[], limit: number): CitedAnswer {
  const asked = new Set(tokenize(question));
  if (asked.size === 0) return { sentences: [], sources: [], coverage: 0 };
  const best = Math.max(0, ...passages.map(({ score }) => score));
  const candidates = passages.flatMap((passage) =>
    sentencesOf(passage.excerpt).map((text) => {
      const own = new Set(tokenize(`${text} ${passage.section} ${passage.title}`));
      const matched = [...asked].filter((token) => own.has(token));
      const inText = new Set(tokenize(text));
      const direct = matched.filter((token) => inText.has(token)).length / asked.size;
      return {
        passage,
        text,
        coverage: matched.length / asked.size,
        rank: direct + 0.5 * (matched.length / asked.size) + (best === 0 ? 0 : 0.3 * (passage.score / best)),
      };
    }),
  );
  const chosen = unlike(
    candidates.filter(({ coverage }) => coverage >= LEAST_COVERAGE).sort((a, b) => b.rank - a.rank),
    limit,
  );
  const sources = [...new Set(chosen.map(({ passage }) => passage))];
  const covered = new Set(
    chosen.flatMap(({ passage, text }) => tokenize(`${text} ${passage.section} ${passage.title}`)).filter((token) => asked.has(token)),
  );
  return {
    sentences: chosen.map(({ text, passage }) => ({ text, source: sources.indexOf(passage) + 1 })),
    sources,
    coverage: Math.round((100 * covered.size) / asked.size) / 100,
  };
}

const ITEM = /^\s*(?:[-*•>]|\d{1,2}[.)])\s+/;

/** Sentences of a passage. A row of a table is one, and so is a list together with the line that leads to it. */
function sentencesOf(excerpt: string): string[] {
  const units: string[] = [];
  let isLeading = false;
  for (const raw of excerpt.split('\n')) {
    const line = raw.replace(ITEM, '').trim();
    if (line === '' || /^[|\s:-]+$/.test(line)) continue;
    const led = units.at(-1);
    if (ITEM.test(raw) && isLeading && led !== undefined) {
      units[units.length - 1] = /[:：]$/.test(led) ? `${led} ${line}` : `${led} · ${line}`;
      continue;
    }
    isLeading = /[:：]$/.test(line);
    if (line.startsWith('|'))
      units.push(
        line
          .replace(/^\||\|$/g, '')
          .replaceAll('|', ' · ')
          .replace(/\s+/g, ' ')
          .trim(),
      );
    else units.push(...line.split(/(?<=[。！？])|(?<=[.!?])\s+(?=[\p{Lu}\p{N}])/u));
  }
  return units.map((unit) => unit.trim()).filter((unit) => /[\p{L}\p{N}]/u.test(unit) && !unit.startsWith('#'));
}

function unlike<Candidate extends { readonly text: string }>(candidates: readonly Candidate[], limit: number): Candidate[] {
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    if (chosen.length >= limit) break;
    if (!chosen.some(({ text }) => text === candidate.text || text.includes(candidate.text))) chosen.push(candidate);
  }
  return chosen;
}
