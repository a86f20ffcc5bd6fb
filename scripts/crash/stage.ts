import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { type DatabaseCable, layCable } from '#lib/testing/database-cable.ts';
import { createApiClient } from './api-client.ts';
import { type CrashModel, startCrashModel } from './crash-model.ts';
import type { EffectsProcess } from './effects-process.ts';
import { type Followed, followRun } from './follow-run.ts';
import type { Outcome } from './outcome.ts';
import { type ProductProcess, type ServerKind, type StartOptions, startProductProcess } from './product-process.ts';
import { readOutcome, readProgress } from './read-outcome.ts';
import { Requests } from './requests.ts';
import type { ScratchCluster } from './scratch-cluster.ts';
import type { Chance } from './seeded-chance.ts';
import type { WorkloadShape } from './workload.ts';

/** After the last crash everything has settled within this time. */
const SETTLE_WITHIN_MS = 30_000;
/** The effects process waits up to so long before it records, and before it answers. */
const EFFECT_DELAYS = { beforeMs: 40, afterMs: 60 };
/** One in so many runs is followed by a reader. */
const FOLLOWED_SHARE = 4;
const DRAIN_MS = 300;

export interface StageOptions {
  /** Names the database, the labels and the effects of this point. */
  readonly name: string;
  readonly server: ServerKind;
  readonly shape: WorkloadShape;
  readonly chance: Chance;
  readonly cluster: ScratchCluster;
  readonly effects: EffectsProcess;
  /** For the logs of its processes. */
  readonly folder: string;
}

/** Where one point plays: a database of its own, its server processes, a client and readers, and the means to crash them. */
export class Stage {
  readonly chance: Chance;
  readonly cluster: ScratchCluster;
  readonly requests: Requests;
  readonly #options: StageOptions;
  readonly #databaseUrl: string;
  readonly #model: CrashModel | null;
  readonly #sql: postgres.Sql;
  readonly #processes = new Map<string, ProductProcess>();
  readonly #aside = new Set<ProductProcess>();
  readonly #ended = new Set<ProductProcess>();
  readonly #cables: DatabaseCable[] = [];
  readonly #crashesAtMs: number[] = [];
  readonly #readers: Promise<Followed>[] = [];
  readonly #readersEnd = new AbortController();
  #settleUntilMs = Number.POSITIVE_INFINITY;

  static async open(options: StageOptions): Promise<Stage> {
    const model = options.shape.delegatedPercent === undefined ? null : await startCrashModel();
    const stage = new Stage(options, await options.cluster.createDatabase(options.name), model);
    if (model) await stage.#setBudget();
    return stage;
  }

  private constructor(options: StageOptions, databaseUrl: string, model: CrashModel | null) {
    const { cluster } = options;
    this.#model = model;
    this.chance = options.chance;
    this.cluster = cluster;
    this.#options = options;
    this.#databaseUrl = databaseUrl;
    this.#sql = postgres(databaseUrl, { max: 2, onnotice: () => undefined });
    const addresses = () => this.#addresses();
    let accepted = 0;
    this.requests = new Requests({
      client: createApiClient({ tenant: cluster.tenant, apiKey: cluster.apiKey, addresses }),
      chance: options.chance,
      shape: options.shape,
      prefix: options.name,
      untilMs: () => this.#settleUntilMs,
      onAccepted: (runId) => {
        accepted += 1;
        if (accepted % FOLLOWED_SHARE !== 1) return;
        const { tenant, apiKey } = cluster;
        this.#readers.push(followRun({ runId, tenant, apiKey, addresses, signal: this.#readersEnd.signal }));
      },
    });
  }

  /** Never used up: every call of a model reserves, and what became of that is looked at. */
  async #setBudget(): Promise<void> {
    await this.#sql`
      insert into budget (tenant_id, id, subject, measure, period, hard_limit)
      select id, gen_random_uuid(), 'tenant', 'tokens', 'total', ${10 ** 12} from tenant`;
  }

  async start(name: string, options: { faultPoint?: string; databaseUrl?: string } = {}): Promise<ProductProcess> {
    const earlier = this.#processes.get(name);
    const { server, effects, folder, shape } = this.#options;
    const start: StartOptions = {
      kind: server,
      name,
      databaseUrl: options.databaseUrl ?? this.#databaseUrl,
      effectsUrl: effects.urlFor(this.#options.name, EFFECT_DELAYS),
      logFile: path.join(folder, `${name}.log`),
      env: { DRAIN_MS: String(DRAIN_MS) },
      ...(this.#model && { modelUrl: this.#model.url, ...(shape.isLong && { modelName: 'scripted-8k' }) }),
      ...(earlier && { port: earlier.port }),
      ...(options.faultPoint !== undefined && { faultPoint: options.faultPoint }),
    };
    const process = await startProductProcess(start);
    this.#processes.set(name, process);
    return process;
  }

  /** Opens the sessions and sends the first set of requests; they go on while the story does. */
  async begin(first?: ProductProcess): Promise<void> {
    await this.requests.openSessions();
    this.requests.begin(first?.address);
  }

  /** Some time between the two, in milliseconds. */
  async moment(least: number, most: number): Promise<void> {
    await sleep(this.chance.between(least, most));
  }

  async kill(process: ProductProcess): Promise<void> {
    this.noteCrash(process);
    await process.kill();
  }

  /** From here on recovery is measured. A process that ended by itself may be named, so that it is not taken for a fault. */
  noteCrash(process?: ProductProcess): void {
    if (process) this.#ended.add(process);
    this.#crashesAtMs.push(Date.now());
  }

  /** SIGSTOP: it neither lives nor dies. Clients leave it. */
  stop(process: ProductProcess): void {
    this.#aside.add(process);
    process.send('SIGSTOP');
    this.noteCrash();
  }

  /** SIGCONT. */
  goOn(process: ProductProcess): void {
    process.send('SIGCONT');
    this.#aside.delete(process);
  }

  async layCable(): Promise<DatabaseCable> {
    const cable = await layCable(this.#databaseUrl);
    this.#cables.push(cable);
    return cable;
  }

  /** The connections that say which processes live. */
  async listLivenessLocks(): Promise<number[]> {
    const rows = await this.#sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and application_name like 'bailiwick lock%'`;
    return rows.map((row) => row.pid);
  }

  async breakConnections(pids: readonly number[]): Promise<void> {
    for (const pid of pids) await this.#sql`select pg_terminate_backend(${pid})`;
  }

  /** True once every request is accepted and nothing moves; false when that is not so in time, or `signal` fires. */
  async settle(signal?: AbortSignal): Promise<boolean> {
    const untilMs = Date.now() + SETTLE_WITHIN_MS;
    // While a crash is still to come, clients have all the time that it takes.
    if (!signal) this.#settleUntilMs = untilMs;
    await this.requests.finished();
    while (Date.now() < untilMs && !signal?.aborted) {
      // The database may be away for a moment.
      const progress = await readProgress(this.#sql).catch(() => null);
      if (progress && progress.moving === 0 && progress.openSegments === 0) return true;
      await sleep(50);
    }
    return false;
  }

  async readOutcome(): Promise<Outcome> {
    const effects = await this.#options.effects.list(this.#options.name);
    return { ...(await readOutcome(this.#sql)), effects, asks: [...(this.#model?.asks ?? [])] };
  }

  /** What the readers got; those whose run waits are told to end. */
  async followed(): Promise<Followed[]> {
    const patience = setTimeout(() => this.#readersEnd.abort(), 3_000);
    const all = await Promise.all(this.#readers);
    clearTimeout(patience);
    return all;
  }

  get crashesAtMs(): readonly number[] {
    return this.#crashesAtMs;
  }

  /** What the model was shown that it should not have been shown. */
  get modelSurprises(): readonly string[] {
    return this.#model?.surprises ?? [];
  }

  /** Names of processes that ended though nobody ended them. */
  async listUnexpectedEnds(): Promise<string[]> {
    const ends = [...this.#processes.values()].filter((process) => process.hasEnded() && !this.#ended.has(process));
    return Promise.all(ends.map(async ({ name, ended }) => `${name} (exit code ${await ended})`));
  }

  /** Ends everything that was started here; drops the database unless the cluster is down. */
  async close(): Promise<void> {
    this.#readersEnd.abort();
    await Promise.all([...this.#processes.values()].map((process) => process.kill()));
    await Promise.all(this.#cables.map((cable) => cable.close()));
    await this.#model?.close();
    await this.#sql.end({ timeout: 1 });
    await this.cluster.dropDatabase(this.#options.name);
  }

  #addresses(): string[] {
    return [...this.#processes.values()]
      .filter((process) => !process.hasEnded() && !this.#aside.has(process))
      .map(({ address }) => address);
  }
}
