import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { verifies } from '#e2e/verifies.ts';
import { createAgentMetrics } from './agent-metrics.ts';

const usage = { inputTokens: 10, cachedInputTokens: 4, cacheWriteTokens: 3, outputTokens: 5, reasoningTokens: 2 };

async function seriesOf(registry: Registry, name: string): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line.startsWith(`${name}{`));
}

describe('the metrics of agents', () => {
  verifies('H-32', 'count tools and models under the names that were agreed', async () => {
    const registry = new Registry();
    const metrics = createAgentMetrics(registry);
    metrics.recordToolCall({ tool: 'math.calculate', error: null, seconds: 0.02 });
    metrics.recordToolCall({ tool: 'math.calculate', error: 'timeout', seconds: 3 });
    metrics.recordToolCall({ tool: 'files.delete', error: 'approval_denied', seconds: null });
    metrics.recordModelCall({ provider: 'openai', model: 'm', seconds: 2, firstPartSeconds: 0.3, error: null, usage });
    metrics.recordModelCall({ provider: 'openai', model: 'm', seconds: 1, firstPartSeconds: null, error: 'overloaded', usage: null });
    expect(await seriesOf(registry, 'agent_tool_success')).toEqual(['agent_tool_success{tool="math.calculate"} 1']);
    expect(await seriesOf(registry, 'agent_tool_failure')).toEqual([
      'agent_tool_failure{tool="math.calculate",error="timeout"} 1',
      'agent_tool_failure{tool="files.delete",error="approval_denied"} 1',
    ]);
    // What never began took no time.
    expect(await seriesOf(registry, 'agent_tool_execution_count')).toEqual(['agent_tool_execution_count{tool="math.calculate"} 2']);
    expect(await seriesOf(registry, 'agent_tool_execution_bucket')).toContain(
      'agent_tool_execution_bucket{le="0.025",tool="math.calculate"} 1',
    );
    expect(await seriesOf(registry, 'agent_model_call_seconds_count')).toEqual([
      'agent_model_call_seconds_count{provider="openai",model="m"} 2',
    ]);
    expect(await seriesOf(registry, 'agent_model_first_part_seconds_count')).toEqual([
      'agent_model_first_part_seconds_count{provider="openai",model="m"} 1',
    ]);
    expect(await seriesOf(registry, 'agent_model_failure')).toEqual([
      'agent_model_failure{provider="openai",model="m",error="overloaded"} 1',
    ]);
    expect((await seriesOf(registry, 'agent_model_tokens')).map((line) => line.replace(/.*class="(.*)"} (.*)/, '$1 $2'))).toEqual([
      'input 10',
      'cached-input 4',
      'cache-write 3',
      'output 5',
      'reasoning 2',
    ]);
  });

  it('hold a bounded number of series, whatever tools and models are called', async () => {
    const registry = new Registry();
    const metrics = createAgentMetrics(registry);
    for (let made = 0; made < 1_000; made += 1) {
      metrics.recordToolCall({ tool: `server${made}.tool`, error: null, seconds: null });
      metrics.recordToolCall({ tool: null, error: 'unknown_capability', seconds: null });
      metrics.recordModelCall({
        provider: 'compatible',
        model: `model-${made}`,
        seconds: 1,
        firstPartSeconds: null,
        error: null,
        usage: null,
      });
    }
    metrics.recordToolCall({ tool: 'x'.repeat(10_000), error: null, seconds: null });
    const tools = await seriesOf(registry, 'agent_tool_success');
    expect(tools).toHaveLength(201);
    expect(tools.at(-1)).toBe('agent_tool_success{tool="other"} 801');
    expect(await seriesOf(registry, 'agent_tool_failure')).toEqual(['agent_tool_failure{tool="unknown",error="unknown_capability"} 1000']);
    expect(await seriesOf(registry, 'agent_model_call_seconds_count')).toHaveLength(51);
    // A tool that has a series keeps it.
    metrics.recordToolCall({ tool: 'server7.tool', error: null, seconds: null });
    expect(await seriesOf(registry, 'agent_tool_success')).toContain('agent_tool_success{tool="server7.tool"} 2');
    expect((await registry.metrics()).length).toBeLessThan(200_000);
  });
});
