import { AppError, type JsonObject } from '#lib/kernel/index.ts';

/** How a node's output joins the state: `replace` keeps the newest value, `append` adds to a list. */
export type Merge = 'replace' | 'append';
export type Channels<State> = { readonly [Key in keyof State]-?: Merge };

export const START = '__start__';
export const END = '__end__';

/**
 * Where node outputs are kept. `find` answers from what was loaded at the start; `record` resolves once the output is
 * committed, or will be with the next write.
 */
export interface NodeRecords {
  find(path: string): JsonObject | undefined;
  record(path: string, output: JsonObject): Promise<void>;
}

export interface NodeContext {
  /** Key of this execution in the run: the node's name, `name#2` for the second time. Records inside it extend it. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** A node reads the state and returns the keys it changes. */
export type Node<State> = (state: Readonly<State>, context: NodeContext) => Promise<Partial<State>>;

export interface CompiledGraph<State> {
  readonly name: string;
  /** Every node in the order it was added, for display. */
  readonly nodeNames: readonly string[];
  /**
   * Runs from START until no node is left. Nodes that become due together run in parallel and merge in the order they were
   * added, whatever order they end in. A node with a record is not run again. Rejects with the first error after all nodes
   * of its step have settled, with `timeout` when the signal fires, and with `internal` after `maxSteps`.
   */
  run(options: { state: State; records: NodeRecords; signal: AbortSignal; maxSteps?: number }): Promise<State>;
}

type Route<State> = (state: Readonly<State>) => string | readonly string[];

/** A small graph of durable nodes: the deterministic supervisor, plugin pipelines and compiled flows all run on it. */
export class StateGraph<State extends object> {
  readonly #name: string;
  readonly #channels: Channels<State>;
  readonly #nodes = new Map<string, Node<State>>();
  readonly #edges = new Map<string, Route<State>[]>();
  readonly #joins: { readonly from: readonly string[]; readonly to: string }[] = [];

  constructor(name: string, channels: Channels<State>) {
    this.#name = name;
    this.#channels = channels;
  }

  addNode(name: string, node: Node<State>): this {
    if (this.#nodes.has(name) || name === START || name === END) throw new Error(`${this.#name}: node ${name} exists already`);
    this.#nodes.set(name, node);
    return this;
  }

  addEdge(from: string, to: string): this {
    return this.addConditionalEdge(from, () => to);
  }

  /** The route names the next node or nodes once `from` has run. */
  addConditionalEdge(from: string, route: Route<State>): this {
    this.#edges.set(from, [...(this.#edges.get(from) ?? []), route]);
    return this;
  }

  /** `to` runs once all of `from` have. */
  addJoin(from: readonly string[], to: string): this {
    this.#joins.push({ from, to });
    return this;
  }

  /** Throws when a node cannot be left or nothing starts. */
  compile(): CompiledGraph<State> {
    if (!this.#edges.has(START)) throw new Error(`${this.#name}: no edge leaves START`);
    for (const name of this.#nodes.keys()) {
      const isLeft = this.#edges.has(name) || this.#joins.some((join) => join.from.includes(name));
      if (!isLeft) throw new Error(`${this.#name}: no edge leaves ${name}`);
    }
    return { name: this.#name, nodeNames: [...this.#nodes.keys()], run: (options) => this.#run(options) };
  }

  async #run(options: { state: State; records: NodeRecords; signal: AbortSignal; maxSteps?: number }): Promise<State> {
    const { records, signal, maxSteps = 1_000 } = options;
    const timesRun = new Map<string, number>();
    const joinsWaiting = this.#joins.map(() => new Set<string>());
    let state = options.state;
    let due = this.#follow(START, state);

    for (let step = 0; due.length > 0; step += 1) {
      if (step >= maxSteps) throw new AppError({ code: 'internal', message: `${this.#name}: more than ${maxSteps} steps` });
      if (signal.aborted) throw new AppError({ code: 'timeout', message: 'aborted', cause: signal.reason });
      const names = this.#inOrder(due);
      const before = state;
      const settled = await Promise.allSettled(names.map((name) => this.#runNode(name, before, timesRun, records, signal)));
      const failed = settled.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      for (const result of settled) if (result.status === 'fulfilled') state = this.#merge(state, result.value);
      due = names.flatMap((name) => [...this.#follow(name, state), ...this.#join(name, joinsWaiting)]);
    }
    return state;
  }

  async #runNode(
    name: string,
    state: State,
    timesRun: Map<string, number>,
    records: NodeRecords,
    signal: AbortSignal,
  ): Promise<Partial<State>> {
    const node = this.#nodes.get(name);
    if (!node) throw new AppError({ code: 'internal', message: `${this.#name}: no node ${name}` });
    const time = (timesRun.get(name) ?? 0) + 1;
    timesRun.set(name, time);
    const path = time === 1 ? name : `${name}#${time}`;
    const recorded = records.find(path);
    if (recorded) return recorded as Partial<State>;
    const output = await node(state, { path, signal });
    await records.record(path, output as JsonObject);
    return output;
  }

  #follow(from: string, state: State): string[] {
    return (this.#edges.get(from) ?? []).flatMap((route) => route(state)).filter((name) => name !== END);
  }

  #join(name: string, waiting: Set<string>[]): string[] {
    return this.#joins.flatMap(({ from, to }, index) => {
      const arrived = waiting[index];
      if (!arrived || !from.includes(name)) return [];
      arrived.add(name);
      if (arrived.size < from.length) return [];
      arrived.clear();
      return to === END ? [] : [to];
    });
  }

  /** Each due node once, in the order the graph lists them: merging must not depend on timing. */
  #inOrder(names: readonly string[]): string[] {
    const order = [...this.#nodes.keys()];
    return [...new Set(names)].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  }

  #merge(state: State, output: Partial<State>): State {
    const merged: State = { ...state };
    for (const key of Object.keys(output) as (keyof State)[]) {
      const value = output[key];
      if (value === undefined) continue;
      const isList = this.#channels[key] === 'append';
      merged[key] = isList ? ([...asList(state[key]), ...asList(value)] as State[keyof State]) : value;
    }
    return merged;
  }
}

function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
