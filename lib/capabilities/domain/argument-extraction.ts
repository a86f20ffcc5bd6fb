import type { Json, JsonObject } from '#lib/kernel/index.ts';
import { type ArgumentCandidate, assignCandidates } from './argument-assignment.ts';
import { type ArgumentHints, readArgumentHints, usesOntology } from './argument-hints.ts';
import { findArithmetic } from './arithmetic-text.ts';
import type { ObjectSchema } from './capability.ts';
import { contains, overlaps, type Span } from './folded-text.ts';
import {
  extractClause,
  extractMarkedName,
  extractName,
  extractText,
  extractWords,
  type FreeTextContext,
  markerAfter,
  markerBefore,
} from './free-text.ts';
import type { RequestFeatures } from './request-features.ts';
import { compileValues, type ValueMatch, type ValueTable } from './value-matches.ts';

/** A schema made ready for extraction. */
export interface CompiledSchema {
  readonly hints: readonly ArgumentHints[];
  readonly tables: ReadonlyMap<string, ValueTable>;
  readonly usesOntology: boolean;
}

/** Where in the message an argument was found. `span` takes in the marker word that pointed to it. */
export interface ArgumentEvidence {
  readonly argument: string;
  readonly span: Span;
  readonly source: ArgumentHints['source'];
  /** Arithmetic that may be none (`24/7`), see `findArithmetic`. */
  readonly isDoubtful?: boolean;
  /** Text that was quoted, or stood after a colon or a marker: whoever says so means a text. */
  readonly isSetApart?: boolean;
  /** A value that is not in the argument's table, see `x-open`. */
  readonly isUnknown?: boolean;
}

export interface Extraction {
  readonly arguments: JsonObject;
  readonly evidence: readonly ArgumentEvidence[];
  /** Required arguments that the clause does not give. */
  readonly missing: readonly string[];
  /** Further values named in one breath with a single-valued argument ("Tokyo and London"): each wants a call of its own. */
  readonly coordinated: { readonly argument: string; readonly values: readonly ValueMatch[] } | null;
}

/** What a marker word counts, beside its length; nearness counts up to 12. */
const MARKER_SCORE = 4;

const compiled = new WeakMap<ObjectSchema, CompiledSchema>();

/** Reads a schema's hints and value tables; remembered per schema object. */
export function compileSchema(schema: ObjectSchema): CompiledSchema {
  const known = compiled.get(schema);
  if (known) return known;
  const hints = readArgumentHints(schema);
  const tables = new Map<string, ValueTable>();
  const bySignature = new Map<string, ValueTable>();
  for (const hint of hints) {
    if (hint.values.size === 0) continue;
    // Two arguments with the same values (from, to) share one table, and so one search.
    const signature = JSON.stringify([...hint.values.keys()]);
    const table = bySignature.get(signature) ?? compileValues(hint.values);
    bySignature.set(signature, table);
    tables.set(hint.name, table);
  }
  const result = { hints, tables, usesOntology: usesOntology(schema) };
  compiled.set(schema, result);
  return result;
}

/**
 * Takes the arguments of one capability out of one clause of a message, going by the schema alone. `requestSpans` are the
 * places of the words by which the capability was recognised: they are the request, not its content. Never throws.
 */
export function extractArguments(input: {
  schema: CompiledSchema;
  features: RequestFeatures;
  clause: Span;
  requestSpans: readonly Span[];
}): Extraction {
  const work = new ExtractionWork(input.schema, input.features, input.clause, input.requestSpans);
  return work.run();
}

class ExtractionWork {
  readonly #schema: CompiledSchema;
  readonly #features: RequestFeatures;
  readonly #clause: Span;
  readonly #requestSpans: readonly Span[];
  readonly #found = new Map<string, Json>();
  readonly #evidence: ArgumentEvidence[] = [];
  #coordinated: Extraction['coordinated'] = null;

  constructor(schema: CompiledSchema, features: RequestFeatures, clause: Span, requestSpans: readonly Span[]) {
    this.#schema = schema;
    this.#features = features;
    this.#clause = clause;
    this.#requestSpans = requestSpans.filter((span) => contains(clause, span));
  }

  /** The telling sources first; free text takes what is left. */
  run(): Extraction {
    for (const hint of this.#of('pattern')) this.#takeWords(hint);
    this.#takeInOrder(
      'email',
      this.#features.emails.map((span) => ({ ...span, value: this.#features.raw.slice(span.start, span.end) })),
    );
    this.#takeInOrder(
      'url',
      this.#features.urls.map((span) => ({ ...span, value: this.#features.raw.slice(span.start, span.end) })),
    );
    this.#takeInOrder(
      'date',
      this.#features.dates.map((match) => ({ ...match, value: match.date })),
    );
    this.#takeInOrder(
      'time',
      this.#features.times.map((match) => ({ ...match, value: match.time })),
    );
    this.#takeDateTimes();
    this.#takeNumbers();
    this.#takeValues();
    for (const hint of this.#of('boolean')) this.#takeFlag(hint);
    for (const hint of this.#of('expression')) this.#takeExpression(hint);
    for (const hint of this.#of('name')) this.#takeFree(hint, extractName(this.#context(), hint));
    for (const hint of this.#of('text')) this.#takeFree(hint, extractText(this.#context(), hint));
    for (const hint of this.#of('clause')) this.#takeFree(hint, extractClause(this.#context()));
    return {
      arguments: Object.fromEntries(this.#found),
      evidence: this.#evidence,
      missing: this.#schema.hints.filter((hint) => hint.isRequired && !this.#found.has(hint.name)).map((hint) => hint.name),
      coordinated: this.#coordinated,
    };
  }

  #of(source: ArgumentHints['source']): ArgumentHints[] {
    return this.#schema.hints.filter((hint) => hint.source === source);
  }

  #context(): FreeTextContext {
    return {
      features: this.#features,
      clause: this.#clause,
      requestSpans: this.#requestSpans,
      takenSpans: this.#evidence.map((item) => item.span),
    };
  }

  #set(hint: ArgumentHints, value: Json, span: Span, doubts: Pick<ArgumentEvidence, 'isDoubtful' | 'isUnknown' | 'isSetApart'> = {}): void {
    this.#found.set(hint.name, hint.isList && !Array.isArray(value) ? [value] : value);
    this.#evidence.push({ argument: hint.name, span, source: hint.source, ...doubts });
  }

  #isFree(span: Span): boolean {
    return contains(this.#clause, span) && !this.#evidence.some((item) => overlaps(item.span, span));
  }

  #takeWords(hint: ArgumentHints): void {
    const words = hint.pattern === null ? [] : extractWords(this.#context(), hint.pattern);
    const first = words[0];
    if (!first) return;
    if (hint.isList)
      this.#set(
        hint,
        words.map((word) => word.value),
        first,
      );
    else this.#set(hint, first.value, first);
  }

  /** A marker decides first ("from", "until"), then the order in which the arguments and the values stand. */
  #takeInOrder(source: ArgumentHints['source'], candidates: readonly ArgumentCandidate[]): void {
    this.#assign(
      this.#of(source),
      candidates.filter((candidate) => contains(this.#clause, candidate)),
      () => 0,
    );
  }

  #assign(
    hints: readonly ArgumentHints[],
    candidates: readonly ArgumentCandidate[],
    bonus: (hint: ArgumentHints, span: Span) => number,
  ): void {
    const open = hints.filter((hint) => !this.#found.has(hint.name));
    const free = candidates.filter((candidate) => this.#isFree(candidate));
    const markerOf = (hint: ArgumentHints, candidate: Span) => {
      const span = this.#withMarkers(hint, candidate);
      return span.end - span.start - (candidate.end - candidate.start);
    };
    const chosen = assignCandidates(
      open,
      free,
      (hint, candidate) => bonus(hint, candidate) + (markerOf(hint, candidate) > 0 ? MARKER_SCORE + markerOf(hint, candidate) * 2 : 0),
      // Optional arguments that are told by the word after them are not guessed; a known value tells by itself.
      (hint, candidate) => hint.source === 'values' || hint.isRequired || hint.before.length === 0 || markerOf(hint, candidate) > 0,
    );
    for (const [hint, candidate] of chosen) this.#set(hint, candidate.value, this.#withMarkers(hint, candidate));
  }

  #withMarkers(hint: ArgumentHints, span: Span): Span {
    return {
      start: markerBefore(this.#features.folded, span.start, hint.after) ?? span.start,
      end: markerAfter(this.#features.folded, span.end, hint.before) ?? span.end,
    };
  }

  #takeDateTimes(): void {
    for (const hint of this.#of('date-time')) {
      const date = this.#features.dates.find((match) => this.#isFree(match));
      const time = this.#features.times.find((match) => this.#isFree(match));
      if (!date || !time) continue;
      const span = { start: Math.min(date.start, time.start), end: Math.max(date.end, time.end) };
      this.#set(hint, `${date.date}T${time.time}`, span);
    }
  }

  #takeNumbers(): void {
    const hints = this.#of('number');
    const inValues = [...this.#schema.tables.values()].flatMap((table) => this.#features.valuesOf(table));
    const candidates = this.#features.numbers.filter(
      (number) => contains(this.#clause, number) && !inValues.some((value) => contains(value, number)),
    );
    const whole = candidates.filter((number) => Number.isInteger(number.value));
    this.#assign(
      hints.filter((hint) => hint.isInteger),
      whole,
      () => 0,
    );
    this.#assign(
      hints.filter((hint) => !hint.isInteger),
      candidates,
      () => 0,
    );
  }

  #takeValues(): void {
    const tables = new Set(this.#schema.tables.values());
    for (const table of tables) {
      const hints = this.#of('values').filter((hint) => this.#schema.tables.get(hint.name) === table);
      const matches = this.#features.valuesOf(table).filter((match) => contains(this.#clause, match));
      for (const hint of hints.filter((entry) => entry.isList)) this.#takeAll(hint, matches);
      this.#assign(hints, matches, (hint, span) => this.#nearness(hint, span));
      this.#noteCoordinated(hints, matches);
      for (const hint of hints) this.#takeUnknown(hint);
    }
  }

  /** "in US/Pacific", 火星现在: a value the table lacks, for the handler to know or to refuse by name. */
  #takeUnknown(hint: ArgumentHints): void {
    if (this.#found.has(hint.name) || !hint.isOpen) return;
    const name = extractMarkedName(this.#context(), hint);
    if (name) this.#set(hint, name.value, name, { isUnknown: true });
  }

  #takeAll(hint: ArgumentHints, matches: readonly ValueMatch[]): void {
    const first = matches[0];
    const last = matches.at(-1);
    if (first && last) this.#set(hint, [...new Set(matches.map((match) => match.value))], { start: first.start, end: last.end });
  }

  /** More than any marker word when right beside the argument it belongs to, fading over some words. */
  #nearness(hint: ArgumentHints, span: Span): number {
    const neighbour = this.#evidence.find((item) => item.argument === hint.near);
    if (!neighbour) return 0;
    const distance = span.start >= neighbour.span.end ? span.start - neighbour.span.end : neighbour.span.start - span.end;
    return Math.max(0, 12 - Math.max(0, distance));
  }

  #noteCoordinated(hints: readonly ArgumentHints[], matches: readonly ValueMatch[]): void {
    for (const hint of hints) {
      const own = this.#evidence.find((item) => item.argument === hint.name);
      if (!own || hint.isList || this.#coordinated) continue;
      const at = matches.findIndex((match) => contains(own.span, match));
      const chain = [matches[at]].filter((match) => match !== undefined);
      for (let index = at + 1; index < matches.length && this.#joins(matches[index - 1], matches[index]); index += 1)
        chain.push(...matches.slice(index, index + 1));
      for (let index = at - 1; index >= 0 && this.#joins(matches[index], matches[index + 1]); index -= 1)
        chain.unshift(...matches.slice(index, index + 1));
      const others = chain.filter((match) => contains(own.span, match) || this.#isFree(match));
      if (others.length > 1) this.#coordinated = { argument: hint.name, values: others };
    }
  }

  #joins(left: ValueMatch | undefined, right: ValueMatch | undefined): boolean {
    return (
      left !== undefined &&
      right !== undefined &&
      /^\s*(?:,|、|，|;|\/|&|and|or|和|与|跟|及|以及|还有|(?:,|、) ?(?:and|和))+(?:\s*(?:in|to|at|for|在))?\s*(?:the )?$/.test(
        this.#features.folded.slice(left.end, right.start),
      )
    );
  }

  #takeFlag(hint: ArgumentHints): void {
    const table = this.#schema.tables.get(hint.name);
    const match = table && this.#features.valuesOf(table).find((entry) => contains(this.#clause, entry));
    if (match) this.#set(hint, match.value, match);
  }

  #takeExpression(hint: ArgumentHints): void {
    const { folded, raw } = this.#features;
    const found = findArithmetic(folded.slice(this.#clause.start, Math.min(this.#clause.end, this.#clause.start + 600)));
    if (!found) return;
    const span = { start: found.start + this.#clause.start, end: found.end + this.#clause.start };
    this.#set(hint, raw.slice(span.start, span.end), span, found.isDoubtful ? { isDoubtful: true } : {});
  }

  #takeFree(hint: ArgumentHints, found: (Span & { readonly value: string; readonly isSetApart?: boolean }) | null): void {
    if (found && found.value !== '') this.#set(hint, found.value, found, found.isSetApart ? { isSetApart: true } : {});
  }
}
