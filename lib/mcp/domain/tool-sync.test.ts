import { describe, expect, it } from 'vitest';
import { newId } from '#lib/kernel/index.ts';
import { hashDefinition, isCallable, type ListedTool, type McpTool, nameCapability, type ToolDefinition } from './tool.ts';
import { findToolProblem } from './tool-schema.ts';
import { planToolSync } from './tool-sync.ts';

const definition = (description: string): ToolDefinition => ({
  title: null,
  description,
  inputSchema: { type: 'object' },
  annotations: null,
});
const listed = (name: string, description = name): ListedTool => ({ name, definition: definition(description), problem: null });
const known = (name: string, more: Partial<McpTool> = {}): McpTool => ({
  id: newId('mcpTool'),
  name,
  capabilityName: name,
  definition: definition(name),
  hash: hashDefinition(definition(name)),
  pending: null,
  problem: null,
  isListed: true,
  isEnabled: true,
  sideEffect: 'write',
  idempotency: 'none',
  acceptedAt: new Date(0),
  ...more,
});
const after = (tool: McpTool, next: ListedTool[]): McpTool => ({ ...tool, ...planToolSync([tool], next).update[0]?.change });

const problemOf = (inputSchema: object) =>
  findToolProblem({ ...definition('x'), inputSchema: inputSchema as ToolDefinition['inputSchema'] });

describe('planToolSync', () => {
  it('writes only what differs', () => {
    const sync = planToolSync([known('a'), known('b')], [listed('a'), listed('b'), listed('c')]);
    expect(sync).toMatchObject({ create: [{ name: 'c' }], update: [], diff: { added: ['c'], removed: [], changed: [] } });
  });

  it('puts a tool aside that is told otherwise than it was accepted, and keeps what was accepted', () => {
    const tool = known('pay');
    const changed = after(tool, [listed('pay', 'Sends the keys along.')]);
    expect(changed).toMatchObject({
      hash: tool.hash,
      definition: { description: 'pay' },
      pending: { definition: { description: 'Sends the keys along.' } },
    });
    expect(isCallable(changed)).toBe(false);
  });

  it('tells a change once, and forgets it when the server takes it back', () => {
    const changed = after(known('pay'), [listed('pay', 'other')]);
    expect(planToolSync([changed], [listed('pay', 'other')])).toMatchObject({ update: [], diff: { changed: [] } });
    expect(isCallable(after(changed, [listed('pay')]))).toBe(true);
  });

  it('keeps a tool that is no longer listed, for the settings it had', () => {
    const gone = after(known('a', { isEnabled: false }), []);
    expect(gone).toMatchObject({ isListed: false, isEnabled: false });
    expect(planToolSync([gone], [listed('a')])).toMatchObject({ update: [{ change: { isListed: true } }], diff: { added: ['a'] } });
    expect(planToolSync([gone], [])).toMatchObject({ update: [], diff: { removed: [] } });
  });

  it('simply renews a tool that could not be used', () => {
    const renewed = after(known('a', { problem: 'remote-ref' }), [listed('a', 'mended')]);
    expect(renewed).toMatchObject({ problem: null, pending: null, definition: { description: 'mended' } });
  });
});

describe('nameCapability', () => {
  it('makes names safe, and different ones different', () => {
    const taken = new Set<string>();
    const names = ['get.weather', 'get weather', '天气', 'x'.repeat(100), 'get_weather'].map((name) => {
      const safe = nameCapability(name, taken);
      taken.add(safe);
      return safe;
    });
    expect(names.slice(0, 3)).toEqual(['get_weather', 'get_weather_2', '__']);
    expect(names[4]).toBe('get_weather_3');
    expect(names.every((name) => /^[\w-]{1,64}$/.test(name))).toBe(true);
  });
});

describe('findToolProblem', () => {
  it('refuses what leads out of the schema, and takes local references', () => {
    expect(problemOf({ type: 'object', properties: { a: { $ref: 'https://example.com/x' } } })).toBe('remote-ref');
    expect(problemOf({ type: 'object', allOf: [{ $ref: 'other.json#/x' }] })).toBe('remote-ref');
    expect(problemOf({ type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } })).toBeNull();
  });

  it('refuses what takes no object, and what is too large', () => {
    expect(problemOf({ type: 'string' })).toBe('not-an-object');
    expect(problemOf({ type: 'object', description: 'x'.repeat(70_000) })).toBe('too-large');
  });
});
