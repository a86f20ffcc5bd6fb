import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server got it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly messages?: readonly { role: string; content: unknown }[]; readonly [key: string]: unknown };
  readonly at: number;
}

/** One answer of the script: whatever it does with the response is what the provider does. */
export type ModelStep = (request: SeenRequest, response: ServerResponse) => Promise<void> | void;

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Appends steps; each answers one request, in order. */
  script(...steps: readonly ModelStep[]): void;
  /** Throws when a request came that no step was for, or a step was never used. */
  verify(): void;
  close(): Promise<void>;
}

/**
 * A scripted provider over real HTTP. An unexpected request answers 500 and is remembered.
 *
 * @param answer what to do with a request that no step of the script is for; null: it is unexpected
 */
export async function startModelServer(answer: (request: SeenRequest) => ModelStep | null = () => null): Promise<ModelServer> {
  const steps: ModelStep[] = [];
  const requests: SeenRequest[] = [];
  const surprises: string[] = [];
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (chunk) => (text += chunk));
    incoming.on('end', () => {
      const request: SeenRequest = {
        path: incoming.url ?? '/',
        headers: incoming.headers,
        body: text === '' ? {} : (JSON.parse(text) as SeenRequest['body']),
        at: performance.now(),
      };
      requests.push(request);
      const step = steps.shift() ?? answer(request);
      if (!step) {
        surprises.push(`${incoming.method} ${request.path}`);
        response.writeHead(500).end('{"error":{"message":"no step is left in the script"}}');
        return;
      }
      void Promise.resolve(step(request, response)).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script: (...more) => void steps.push(...more),
    verify() {
      if (surprises.length > 0) throw new Error(`unexpected requests: ${surprises.join(', ')}`);
      if (steps.length > 0) throw new Error(`${steps.length} steps of the script were not used`);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Answer {
  readonly text?: string;
  /** Characters a chunk; the whole text in one by default. */
  readonly chunkSize?: number;
  readonly delayMs?: number;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finishReason?: string | null;
  readonly usage?: object | null;
  /** Breaks the connection after so many chunks. */
  readonly cutAfter?: number;
}

/** A step that answers in OpenAI's streamed chat completions. */
export function streamed(answer: Answer): ModelStep {
  const usage = answer.usage === undefined ? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } : answer.usage;
  const finish = answer.finishReason === undefined ? (answer.calls ? 'tool_calls' : 'stop') : answer.finishReason;
  const deltas: object[] = [{ role: 'assistant', content: '' }];
  if (answer.reasoning) deltas.push({ reasoning_content: answer.reasoning });
  for (const piece of inPieces(answer.text ?? '', answer.chunkSize)) deltas.push({ content: piece });
  if (answer.calls) {
    deltas.push({
      tool_calls: answer.calls.map((call, index) => ({
        index,
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    });
  }
  const chunks = deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] }));
  if (finish !== null) chunks.push(chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }));
  if (usage) chunks.push(chunk({ choices: [], usage }));
  return raw([...chunks, 'data: [DONE]\n\n'], answer);
}

/** A step that sends these pieces of an event stream as they are. */
export function raw(pieces: readonly string[], how: { delayMs?: number; cutAfter?: number } = {}): ModelStep {
  return async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [index, piece] of pieces.entries()) {
      if (index === how.cutAfter) {
        await pause(20);
        response.destroy();
        return;
      }
      if (response.destroyed) return;
      response.write(piece);
      if (how.delayMs) await pause(how.delayMs);
    }
    response.end();
  };
}

export function chunk(part: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', ...part })}\n\n`;
}

/** A step that refuses. */
export function refused(status: number, message: string, headers: Record<string, string> = {}): ModelStep {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message, type: 'error', code: null } }));
  };
}

function inPieces(text: string, size = text.length || 1): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
