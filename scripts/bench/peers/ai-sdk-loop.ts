import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, type ModelMessage, ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';
import { lookUp } from '../model-plan.ts';
import { INSTRUCTIONS, type PeerLoop } from './peer-loop.ts';
import type { TurnStore } from './turn-store.ts';

/**
 * The loop of the AI SDK. Without a store, history is in memory. With one it is what a team writes by hand: history is read
 * at the turn's start, and each step's messages are committed before the next step runs.
 */
export function createAiSdkLoop({ modelUrl, store }: { modelUrl: string; store: TurnStore | null }): PeerLoop {
  const agent = createAgent(modelUrl);
  return store ? withStore(agent, store) : inMemory(agent);
}

type Agent = ReturnType<typeof createAgent>;

function createAgent(modelUrl: string) {
  const provider = createOpenAICompatible({ name: 'bench', baseURL: `${modelUrl}/v1`, apiKey: 'none', includeUsage: true });
  const lookup = tool({
    description: 'look something up',
    inputSchema: z.object({ query: z.string() }),
    execute: async ({ query }) => lookUp(query),
  });
  return new ToolLoopAgent({ model: provider('bench'), instructions: INSTRUCTIONS, tools: { lookup }, stopWhen: isStepCount(20) });
}

function inMemory(agent: Agent): PeerLoop {
  const sessions = new Map<string, ModelMessage[]>();
  return async ({ sessionId, text, emit }) => {
    const messages = sessions.get(sessionId) ?? [];
    sessions.set(sessionId, messages);
    messages.push({ role: 'user', content: text });
    const said = await agent.stream({ messages });
    for await (const delta of said.textStream) emit(delta);
    messages.push(...(await said.responseMessages));
  };
}

function withStore(agent: Agent, store: TurnStore): PeerLoop {
  return async ({ sessionId, text, emit }) => {
    const run = `${sessionId}-${Date.now()}`;
    const question: ModelMessage = { role: 'user', content: text };
    const history = await store.readHistory(sessionId);
    await store.save({ sessionId, run, messages: [question], event: 'run.started', detail: {}, audit: 'run.create' });
    const said = await agent.stream({
      messages: [...history, question],
      onStepEnd: (step) =>
        store.save({
          sessionId,
          run,
          messages: step.response.messages,
          event: 'step',
          detail: { usage: step.usage, finish: step.finishReason },
          audit: null,
        }),
    });
    for await (const delta of said.textStream) emit(delta);
    await store.save({ sessionId, run, messages: [], event: 'run.finished', detail: {}, audit: 'run.finish' });
  };
}
