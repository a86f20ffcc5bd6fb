import { startModelServer, streamed } from '#lib/testing/model-server.ts';

/**
 * A model of this machine for pictures: it calls the clock where it is offered one, then answers. Its tokens grow with what it
 * is sent, so that figures of usage differ as they do with a model of a provider.
 *
 * @returns its base address, for a provider of the kind `compatible`, and how to close it
 */
export async function startDemoModel(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = await startModelServer(({ body }) => {
    const messages = body.messages ?? [];
    const clock = offeredTools(body.tools).find((name) => name.includes('time'));
    const usage = (completion: number) => {
      const prompt = Math.ceil(JSON.stringify(body).length / 4);
      return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    };
    if (clock && messages.at(-1)?.role === 'user')
      return streamed({ calls: [{ id: 'call_1', name: clock, arguments: '{"zone":"Europe/Lisbon"}' }], usage: usage(24) });
    return streamed({
      text: 'The reading room keeps its hours all week: from nine in the morning until ten at night, and until six on Sundays.',
      chunkSize: 12,
      delayMs: 20,
      usage: usage(31),
    });
  });
  return { url: server.url, close: () => server.close() };
}

function offeredTools(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: { function?: { name?: string } }) => tool.function?.name ?? []);
}
