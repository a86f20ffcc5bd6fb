// A scripted model behind the OpenAI chat-completions API, over real HTTP: POST /v1/chat/completions, streaming only. What
// it says stands in the user's message (model-plan.ts). It notes when each request came in and when its answer went out
// (the machine's monotonic clock): GET /log?id= hands that out once, so that the model's own time can be subtracted.
// POST /effects takes what test capabilities report. Prints `listening PORT`.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { nowMs } from './clock.ts';
import { findPlan, lookUp, type ModelPlan, tokenAt } from './model-plan.ts';

const chatRequest = z.object({
  stream: z.literal(true),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

/** One request to the model, as ms of the monotonic clock. */
interface ModelCall {
  readonly inMs: number;
  firstMs: number;
  outMs: number;
  readonly isAnswer: boolean;
}

/** A paced answer that is under way. */
interface PacedAnswer {
  readonly response: ServerResponse;
  readonly chunk: ChunkWriter;
  readonly plan: ModelPlan;
  readonly call: ModelCall;
  sent: number;
  dueMs: number;
}

type ChunkWriter = ReturnType<typeof chunkWriter>;

const PACER_MS = 2;
const calls = new Map<string, ModelCall[]>();
const paced = new Set<PacedAnswer>();
let pacer: NodeJS.Timeout | null = null;
let answerCount = 0;

const server = createServer((request, response) => {
  const inMs = nowMs();
  const url = new URL(request.url ?? '/', 'http://model');
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    if (url.pathname === '/v1/chat/completions') return complete(body, inMs, response);
    if (url.pathname === '/log') return sendJson(response, takeLog(url.searchParams.get('id') ?? ''));
    if (url.pathname === '/effects') return sendJson(response, {});
    return sendJson(response, { object: 'list', data: [{ id: 'bench', object: 'model' }] });
  });
});
server.keepAliveTimeout = 300_000;
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log(`listening ${(server.address() as AddressInfo).port}`);
});

function complete(body: string, inMs: number, response: ServerResponse): void {
  const parsed = chatRequest.safeParse(JSON.parse(body));
  if (!parsed.success) return sendJson(response, { error: { message: z.prettifyError(parsed.error) } }, 400);
  const { messages } = parsed.data;
  const texts = messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content ?? '')));
  const at = texts.findLastIndex((text) => text.includes('[[bench:'));
  const plan = findPlan(texts[at] ?? '');
  if (!plan) return sendJson(response, { error: { message: 'no script in the messages' } }, 400);
  const toolsCalled = messages.slice(at).filter(({ role }) => role === 'tool').length;
  const isAnswer = toolsCalled >= plan.toolCalls;
  const call: ModelCall = { inMs, firstMs: inMs, outMs: inMs, isAnswer };
  calls.set(plan.id, [...(calls.get(plan.id) ?? []), call]);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const chunk = chunkWriter(body.length >> 2);
  if (isAnswer && plan.tokenMs > 0) {
    paced.add({ response, chunk, plan, call, sent: 0, dueMs: inMs + plan.firstTokenMs });
    pacer ??= setInterval(writeDueTokens, PACER_MS);
    return;
  }
  const text = isAnswer ? wholeAnswer(chunk, plan) : toolCall(chunk, plan, toolsCalled);
  const send = () => {
    call.firstMs = nowMs();
    response.end(text);
    call.outMs = nowMs();
  };
  if (plan.firstTokenMs > 0) setTimeout(send, plan.firstTokenMs);
  else send();
}

/** The chunks of one answer; its id is its own, since some loops take two messages with one id for the same. */
function chunkWriter(promptTokens: number) {
  answerCount += 1;
  const head = `data: {"id":"chatcmpl-${process.pid}-${answerCount}","object":"chat.completion.chunk","created":1700000000,"model":"bench","choices":[`;
  return {
    delta: (delta: string, finish = 'null') => `${head}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}\n\n`,
    end: (tokens: number) =>
      `${head}],"usage":{"prompt_tokens":${promptTokens},"completion_tokens":${tokens},"total_tokens":${promptTokens + tokens}}}\n\ndata: [DONE]\n\n`,
  };
}

function wholeAnswer(chunk: ChunkWriter, plan: ModelPlan): string {
  let text = chunk.delta('{"role":"assistant","content":""}');
  for (let index = 0; index < plan.tokens; index += 1) text += chunk.delta(`{"content":"${tokenAt(index)}"}`);
  return text + chunk.delta('{}', '"stop"') + chunk.end(plan.tokens);
}

function toolCall(chunk: ChunkWriter, plan: ModelPlan, index: number): string {
  const query = `item ${index}`;
  const call = {
    index: 0,
    id: `call_${plan.id}_${index}`,
    type: 'function',
    function: { name: plan.tool, arguments: JSON.stringify(plan.tool === 'echo' ? { text: lookUp(query) } : { query }) },
  };
  return (
    chunk.delta('{"role":"assistant","content":null}') +
    chunk.delta(`{"tool_calls":${JSON.stringify([call])}}`) +
    chunk.delta('{}', '"tool_calls"') +
    chunk.end(20)
  );
}

/** One timer for all paced answers: each gets the tokens that are due. */
function writeDueTokens(): void {
  const now = nowMs();
  for (const answer of paced) {
    const { response, chunk, plan, call } = answer;
    let text = '';
    for (; answer.sent < plan.tokens && now >= answer.dueMs; answer.sent += 1) {
      if (answer.sent === 0) {
        call.firstMs = now;
        text += chunk.delta('{"role":"assistant","content":""}');
      }
      text += chunk.delta(`{"content":"${tokenAt(answer.sent)}"}`);
      answer.dueMs += plan.tokenMs;
    }
    if (answer.sent < plan.tokens) {
      if (text !== '') response.write(text);
      continue;
    }
    response.end(text + chunk.delta('{}', '"stop"') + chunk.end(plan.tokens));
    call.outMs = nowMs();
    paced.delete(answer);
  }
  if (paced.size > 0 || !pacer) return;
  clearInterval(pacer);
  pacer = null;
}

function takeLog(id: string): ModelCall[] {
  const log = calls.get(id) ?? [];
  calls.delete(id);
  return log;
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
