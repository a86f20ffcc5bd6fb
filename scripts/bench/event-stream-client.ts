import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { nowMs } from './clock.ts';

/** One server-sent event and when its last byte had come, as ms of the monotonic clock. */
export interface ReceivedEvent {
  readonly name: string;
  readonly data: string;
  readonly atMs: number;
}

export interface ReceivedStream {
  readonly sentMs: number;
  /** When the answer's headers had come. */
  readonly headersMs: number;
  readonly endMs: number;
  readonly events: readonly ReceivedEvent[];
}

export interface StreamRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const TIMEOUT_MS = 60_000;

/** After a pause: a server closes connections that were idle for some seconds, perhaps while the next request is on its way. */
export function dropIdleConnections(): void {
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

/** Reads an event stream to its end. Rejects when it is refused, breaks, or takes a minute. */
export function readEventStream(stream: StreamRequest): Promise<ReceivedStream> {
  return new Promise((resolve, reject) => {
    const sentMs = nowMs();
    const outgoing = send(stream, (response) => {
      const headersMs = nowMs();
      const events: ReceivedEvent[] = [];
      let buffer = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        const atMs = nowMs();
        buffer += part;
        let from = 0;
        for (let at = buffer.indexOf('\n\n'); at >= 0; at = buffer.indexOf('\n\n', from)) {
          const event = parseFrame(buffer.slice(from, at), atMs);
          if (event) events.push(event);
          from = at + 2;
        }
        buffer = buffer.slice(from);
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ sentMs, headersMs, endMs: nowMs(), events });
        else reject(new Error(`${stream.url} answered ${response.statusCode}: ${buffer.slice(0, 500)}`));
      });
    });
    outgoing.on('error', reject);
  });
}

/** Sends a request and reads its JSON answer. Rejects when it is refused. */
export function requestJson(stream: StreamRequest): Promise<{ sentMs: number; endMs: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const sentMs = nowMs();
    const outgoing = send(stream, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        const endMs = nowMs();
        if ((response.statusCode ?? 500) < 300) resolve({ sentMs, endMs, body: JSON.parse(body) });
        else reject(new Error(`${stream.url} answered ${response.statusCode}: ${body.slice(0, 500)}`));
      });
    });
    outgoing.on('error', reject);
  });
}

function send({ url, method = 'POST', headers, body }: StreamRequest, onResponse: (response: IncomingMessage) => void): ClientRequest {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const outgoing = request(
    url,
    {
      method,
      agent,
      headers: { ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }), ...headers },
    },
    onResponse,
  );
  const timer = setTimeout(() => outgoing.destroy(new Error(`${url} did not end within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  outgoing.on('close', () => clearTimeout(timer));
  outgoing.end(payload);
  return outgoing;
}

/** Null for a comment. */
function parseFrame(frame: string, atMs: number): ReceivedEvent | null {
  let name = 'message';
  let data: string | null = null;
  for (const line of frame.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice('event: '.length);
    else if (line.startsWith('data: ')) data = (data === null ? '' : `${data}\n`) + line.slice('data: '.length);
  }
  return data === null ? null : { name, data, atMs };
}
