import { jsonrepair } from 'jsonrepair';
import { createAjvArgumentValidator } from '#lib/capabilities/adapters/ajv-argument-validator.ts';
import {
  type Capability,
  type CapabilityMetadata,
  createCapabilityRegistry,
  createInvoker,
  type InvocationRequest,
} from '#lib/capabilities/index.ts';
import { systemClock } from '#lib/kernel/index.ts';
import { createTokenCalibration, type LanguageModel } from '#lib/models/index.ts';
import { BegunRuns, type Boundary, createDrive, type RunRecords } from '#lib/supervisor/index.ts';
import { type Actor, PERMISSIONS } from '#lib/tenancy/index.ts';

/** A run as a version of the product left it: its records, what it could use, and what came of it. */
export interface RecordedRun {
  readonly title: string;
  readonly capabilities: readonly CapabilityMetadata[];
  readonly ontology: { readonly summary: string; readonly revision: string };
  readonly records: RunRecords;
  readonly outcome: Outcome;
}

interface Outcome {
  readonly state: string;
  readonly answer: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Calls of capabilities, in the order of their places in the run. */
  readonly calls: readonly Decision[];
}

interface Decision {
  readonly path: string;
  readonly step: number;
  readonly capabilityId: string;
}

/** What a driver of the code as it is makes of the records. */
export interface Replay {
  readonly outcome: Outcome;
  /** Calls of models and handlers that records should have spared. */
  readonly surprises: readonly string[];
  readonly written: readonly Boundary[];
}

const MAPS = ['nodes', 'invocations', 'approvals', 'policies', 'modelCalls', 'shownText'] as const;

export function writeRecordedRun(run: RecordedRun): string {
  const records = { ...run.records, ...Object.fromEntries(MAPS.map((name) => [name, [...run.records[name].entries()]])) };
  return `${JSON.stringify({ ...run, records }, null, 2)}\n`;
}

/** Dates come back as dates; the records' node outputs are left out, so that every decision is taken again. */
export function readRecordedRun(text: string): RecordedRun {
  const parsed = JSON.parse(text, (key, value: unknown) => (key.endsWith('At') && typeof value === 'string' ? new Date(value) : value));
  // Earlier versions kept fewer kinds of records.
  const maps = Object.fromEntries(MAPS.map((name) => [name, new Map(parsed.records[name] ?? [])]));
  return { ...parsed, records: { ...parsed.records, ...maps, nodes: new Map() } };
}

/** Drives the run once more from its records, with nothing that could add to them. */
export async function replay(recorded: RecordedRun): Promise<Replay> {
  const { records, ontology } = recorded;
  const { run } = records;
  const surprises: string[] = [];
  const written: Boundary[] = [];
  const asked: InvocationRequest[] = [];
  const surprise = (what: string) => {
    surprises.push(what);
    return new Error(`not in the records: ${what}`);
  };
  const registry = createCapabilityRegistry();
  for (const metadata of recorded.capabilities) registry.register(withoutEffect(metadata, surprise));
  const invoker = createInvoker({
    registry,
    validator: createAjvArgumentValidator(),
    platformAudit: { record: async () => undefined },
    clock: systemClock,
    maxCallsPerRun: 100,
  });
  const drive = createDrive({
    begun: new BegunRuns(),
    goOnAfterTasks: async () => undefined,
    journal: {
      begin: async () => records,
      write: async (_key, boundary) => void written.push(boundary),
      find: async () => run,
    },
    actors: { actorOfRun: async () => everyRight(records) },
    ontology: { describe: async () => ontology },
    bindPreset: () => ({
      capabilityIds: null,
      pipeline: null,
      agent: null,
      companions: async () => ({ specialists: [], contributors: [] }),
    }),
    requirePreset: async () => undefined,
    registry,
    invoker: {
      invoke: (request) => {
        asked.push(request);
        return invoker.invoke(request);
      },
    },
    consentRules: { read: async () => ({ policy: null, grants: [] }) },
    approvalWindowMs: 60_000,
    plan: () => {
      throw surprise('a plan');
    },
    models: { find: async () => ({ status: 'available', model: speechless(surprise), price: null, fallsBack: false }) },
    budgets: { list: async () => [], reserve: async () => ({ status: 'reserved', standings: [] }) },
    readTurns: async () => ({ summary: null, turns: [], turnCount: 0 }),
    searchDocuments: async () => [],
    counters: { exact: async () => null },
    calibration: createTokenCalibration(),
    random: () => 0,
    repairJson: jsonrepair,
    cancels: { onCancel: () => () => undefined, tell: () => undefined },
    clock: systemClock,
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (_context, message) => void surprises.push(message),
    },
  });
  const segment = { tenantId: run.tenantId, sessionId: run.sessionId, runId: run.id, number: run.segment };
  await drive(segment, new AbortController().signal, { segmentKey: run.id, token: 'recorded' });
  const last = written.at(-1)?.run;
  return {
    outcome: {
      state: last?.state ?? 'not ended',
      answer: last?.answer ?? null,
      error: last?.error ?? null,
      calls: toDecisions(asked),
    },
    surprises,
    written,
  };
}

export function toDecisions(calls: Iterable<Decision>): Decision[] {
  return [...calls]
    .map(({ path, step, capabilityId }) => ({ path, step, capabilityId }))
    .sort((a, b) => a.step - b.step || a.path.localeCompare(b.path));
}

function withoutEffect(metadata: CapabilityMetadata, surprise: (what: string) => Error): Capability {
  return {
    metadata,
    handler: async () => {
      throw surprise(`a call of ${metadata.id}`);
    },
  };
}

function speechless(surprise: (what: string) => Error): LanguageModel {
  return {
    spec: { provider: 'compatible', model: 'scripted' },
    call({ messages }) {
      throw surprise(`a model call with ${messages.length} messages`);
    },
  };
}

function everyRight({ run }: RunRecords): Actor {
  return {
    kind: 'user',
    scope: { tenantId: run.tenantId, userId: run.userId },
    displayName: 'Ada',
    email: 'ada@example.com',
    roleKey: 'member',
    roleName: 'Member',
    permissions: new Set(PERMISSIONS),
    locale: null,
    timeZone: 'UTC',
  };
}
