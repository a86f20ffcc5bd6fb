import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { verifies } from '#e2e/verifies.ts';
import { metrics } from './metrics.ts';

const dashboard = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })) })
  .parse(JSON.parse(readFileSync(new URL('../../docs/grafana-dashboard.json', import.meta.url), 'utf8')));
const guide = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');

const OURS = /\b(?:agent|bailiwick)_\w+/g;

/** What a metric is called where it is asked for, and the labels it has. */
async function namesThatExist(): Promise<Map<string, readonly string[]>> {
  const names = new Map<string, readonly string[]>();
  for (const { name, type } of await metrics.registry.getMetricsAsJSON()) {
    const labels: readonly string[] = Reflect.get(metrics.registry.getSingleMetric(name) ?? {}, 'labelNames') ?? [];
    names.set(name, labels);
    if (String(type) !== 'histogram') continue;
    for (const suffix of ['_bucket', '_sum', '_count']) names.set(name + suffix, [...labels, 'le']);
  }
  return names;
}

describe('the dashboard for Grafana', () => {
  verifies('H-32', 'asks for metrics and labels that exist, and for every one of ours', async () => {
    const names = await namesThatExist();
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const asked = expressions.flatMap((expression) => expression.match(OURS) ?? []);
    expect(asked.filter((name) => !names.has(name))).toEqual([]);
    for (const expression of expressions) {
      const labels = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
      const possible = (expression.match(OURS) ?? []).flatMap((name) => names.get(name) ?? []);
      expect({ expression, unknown: labels.filter((label) => !possible.includes(label)) }).toEqual({ expression, unknown: [] });
    }
    const families = new Set(asked.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')));
    const ours = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name).filter((name) => /^(?:agent|bailiwick)_/.test(name));
    expect(ours.filter((name) => !families.has(name))).toEqual([]);
    expect(ours.filter((name) => !guide.includes(`\`${name}`))).toEqual([]);
  });
});
