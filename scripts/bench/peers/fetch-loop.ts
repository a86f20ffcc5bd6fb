import { lookUp } from '../model-plan.ts';
import { INSTRUCTIONS, type PeerLoop } from './peer-loop.ts';

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'lookup',
      description: 'look something up',
      parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    },
  },
];

/** The floor: a loop over `fetch` with the history in memory, no framework and nothing kept. */
export function createFetchLoop({ modelUrl }: { modelUrl: string }): PeerLoop {
  const sessions = new Map<string, Message[]>();
  return async ({ sessionId, text, emit }) => {
    const messages = sessions.get(sessionId) ?? [{ role: 'system', content: INSTRUCTIONS }];
    sessions.set(sessionId, messages);
    messages.push({ role: 'user', content: text });
    for (;;) {
      const said = await callModel(modelUrl, messages, emit);
      messages.push({ role: 'assistant', content: said.text || null, ...(said.calls.length > 0 && { tool_calls: said.calls }) });
      if (said.calls.length === 0) return;
      for (const call of said.calls) {
        messages.push({ role: 'tool', tool_call_id: call.id, content: lookUp(JSON.parse(call.function.arguments).query) });
      }
    }
  };
}

async function callModel(modelUrl: string, messages: readonly Message[], emit: (text: string) => void) {
  const response = await fetch(`${modelUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({ model: 'bench', stream: true, stream_options: { include_usage: true }, messages, tools: TOOLS }),
  });
  if (!response.ok || !response.body) throw new Error(`the model answered ${response.status}: ${await response.text()}`);
  const decoder = new TextDecoder();
  const calls: ToolCall[] = [];
  let text = '';
  let buffer = '';
  for await (const part of response.body) {
    buffer += decoder.decode(part, { stream: true });
    let from = 0;
    for (let at = buffer.indexOf('\n\n'); at >= 0; at = buffer.indexOf('\n\n', from)) {
      const frame = buffer.slice(from + 'data: '.length, at);
      from = at + 2;
      if (frame === '[DONE]') continue;
      const delta = JSON.parse(frame).choices[0]?.delta;
      if (delta?.content) {
        text += delta.content;
        emit(delta.content);
      }
      calls.push(...(delta?.tool_calls ?? []));
    }
    buffer = buffer.slice(from);
  }
  return { text, calls };
}
