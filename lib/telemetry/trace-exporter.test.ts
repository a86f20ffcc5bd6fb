import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#lib/testing/run-lab.ts';
import { startTraceCollector, type TraceCollector } from '#lib/testing/trace-collector.ts';
import type { Span } from './span.ts';
import { TraceExporter } from './trace-exporter.ts';

let collector: TraceCollector;
let exporters: TraceExporter<string>[];
let counted: { [outcome: string]: number };
let warned: string[];
beforeEach(async () => {
  collector = await startTraceCollector();
  exporters = [];
  counted = {};
  warned = [];
});
afterEach(async () => {
  await Promise.all(exporters.map((exporter) => exporter.stop(0)));
  await collector.close();
});

const spanOf = (name: string): Span => ({
  traceId: '0'.repeat(31) + 1,
  spanId: '0'.repeat(15) + 1,
  parentSpanId: null,
  name,
  kind: 'client',
  startMs: 1_800_000_000_000,
  endMs: 1_800_000_000_500,
  attributes: { text: 'a', whole: 3, half: 0.5, flag: true, list: ['x', 'y'] },
  events: [{ name: 'happened', atMs: 1_800_000_000_100, attributes: {} }],
  isError: true,
});

function anExporter(more: Partial<ConstructorParameters<typeof TraceExporter<string>>[0]> = {}) {
  const exporter = new TraceExporter<string>({
    endpoint: `${collector.url}/v1/traces`,
    headers: { authorization: 'Bearer of-the-collector' },
    resource: { 'service.name': 'bailiwick' },
    fetch: globalThis.fetch,
    read: async (name) => [spanOf(name)],
    log: { info: () => undefined, warn: (_context, message) => void warned.push(message) },
    count: (outcome, traces) => {
      counted[outcome] = (counted[outcome] ?? 0) + traces;
    },
    lingerMs: 5,
    retryMs: 20,
    ...more,
  });
  exporters.push(exporter);
  return exporter;
}

const names = () => collector.spans.map(({ name }) => name);

describe('the trace exporter', () => {
  it('sends what is offered together, in OTLP’s JSON, with the operator’s headers', async () => {
    const exporter = anExporter();
    exporter.offer('one');
    exporter.offer('two');
    await eventually(() => collector.spans.length === 2);
    expect(collector.requests).toHaveLength(1);
    expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer of-the-collector' } });
    expect(collector.resources).toEqual([{ 'service.name': 'bailiwick' }]);
    expect(collector.spans[0]).toEqual({
      traceId: '00000000000000000000000000000001',
      spanId: '0000000000000001',
      name: 'one',
      kind: 3,
      startTimeUnixNano: 1_800_000_000_000,
      endTimeUnixNano: 1_800_000_000_500,
      attributes: { text: 'a', whole: 3, half: 0.5, flag: true, list: ['x', 'y'] },
      events: [{ name: 'happened', timeUnixNano: 1_800_000_000_100, attributes: {} }],
      status: { code: 2 },
    });
    await eventually(() => counted.sent === 2);
  });

  it('tries again where that may help, warns once, and gives up what the collector refuses', async () => {
    collector.answer(503, 429, 500);
    const exporter = anExporter();
    exporter.offer('late');
    await eventually(() => collector.spans.length === 1);
    expect(collector.requests.map(({ status }) => status)).toEqual([503, 429, 500, 200]);
    expect(warned).toEqual(['traces could not be sent; they are tried again']);
    collector.answer(400);
    exporter.offer('refused');
    await eventually(() => counted.refused === 1);
    exporter.offer('after');
    await eventually(() => counted.sent === 2);
    expect(names()).toEqual(['late', 'after']);
    expect(counted).toEqual({ sent: 2, refused: 1 });
  });

  it('holds names alone while a collector is away, so many and no more, and sends them when it is back', async () => {
    const { url } = collector;
    await collector.close();
    let read = 0;
    const exporter = anExporter({
      mostWaiting: 30,
      read: async (name) => {
        read += 1;
        return [spanOf(name)];
      },
    });
    for (let trace = 1; trace <= 100; trace += 1) exporter.offer(`t${trace}`);
    // Not only once one has failed.
    expect(counted).toEqual({ dropped: 70 });
    await sleep(60);
    // One batch at a time is read, and forgotten when it could not be sent.
    expect(read % 20).toBe(0);
    expect(counted).toEqual({ dropped: 70 });
    collector = await startTraceCollector(Number(new URL(url).port));
    await eventually(() => counted.sent === 30);
    expect(names()).toEqual(Array.from({ length: 30 }, (_, index) => `t${index + 71}`));
  });

  it('ends with its process: what waits is sent, and a collector that hangs is not waited for', async () => {
    const exporter = anExporter({ lingerMs: 60_000 });
    exporter.offer('last');
    await exporter.stop(1_000);
    expect(names()).toEqual(['last']);
    const hanging = anExporter({ fetch: () => new Promise(() => undefined), lingerMs: 60_000 });
    hanging.offer('never');
    const begun = performance.now();
    await hanging.stop(50);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
