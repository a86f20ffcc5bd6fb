import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { type SendMessageResult, type SessionView, sendMessageResult, sessionView } from '#lib/conversations/contract.ts';
import { type ErrorBody, errorBody } from '#lib/http/contract.ts';
import {
  type RunEventView,
  type RunView,
  runEventView,
  runView,
  type SupervisorResult,
  supervisorResult,
} from '#lib/supervisor/contract.ts';
import { type EventStreamReader, openEventStream } from './event-stream-reader.ts';

export interface ClientAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, null where it is empty, else the text. */
  readonly body: unknown;
}

/** The headers that say who asks: an API key, or a cookie with its origin. */
export type Identity = Readonly<Record<string, string>>;

interface ClientRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly json?: unknown;
  /** The body as it is, where it is not JSON of ours. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

const TERMINAL: readonly string[] = ['FINISH_OK', 'FINISH_ERROR', 'TIMEOUT', 'CANCELLED'];
const eventPage = z.object({ items: z.array(runEventView) });

/** The API of one tenant as one of its clients uses it. All but `send` throw when they are refused. */
export class TenantClient {
  readonly origin: string;
  readonly tenant: string;
  readonly identity: Identity;

  constructor(where: { origin: string; tenant: string; identity: Identity }) {
    this.origin = where.origin;
    this.tenant = where.tenant;
    this.identity = where.identity;
  }

  /** The same client with another sender, tenant or server. */
  with(change: { origin?: string; tenant?: string; identity?: Identity }): TenantClient {
    return new TenantClient({ origin: this.origin, tenant: this.tenant, identity: this.identity, ...change });
  }

  /** `path` begins after the tenant; one that begins with `/api/` is taken as it is. */
  async send(path: string, { method, json, raw, headers }: ClientRequest = {}): Promise<ClientAnswer> {
    const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
    const response = await fetch(this.urlOf(path), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...this.identity, ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text || null };
  }

  async get<Shape>(path: string, schema: z.ZodType<Shape>): Promise<Shape> {
    return accepted(await this.send(path), schema);
  }

  async post<Shape>(path: string, json: unknown, schema: z.ZodType<Shape>, headers: Record<string, string> = {}): Promise<Shape> {
    return accepted(await this.send(path, { method: 'POST', json, headers }), schema);
  }

  createSession(): Promise<SessionView> {
    return this.post('/sessions', {}, sessionView);
  }

  /** Sends a message and returns as soon as it is on record. */
  say(sessionId: string, text: string, headers: Record<string, string> = {}): Promise<SendMessageResult> {
    return this.post(`/sessions/${sessionId}/messages`, { text }, sendMessageResult, headers);
  }

  /** Sends a message and waits for the answer. */
  ask(sessionId: string, text: string, more: { locale?: string; timeZone?: string } = {}): Promise<SupervisorResult> {
    return this.post(`/sessions/${sessionId}/messages?wait=true`, { text, ...more }, supervisorResult);
  }

  getRun(runId: string): Promise<RunView> {
    return this.get(`/runs/${runId}`, runView);
  }

  /** Waits until the run has ended. */
  async getEndedRun(runId: string, withinMs = 15_000): Promise<RunView> {
    const until = Date.now() + withinMs;
    for (;;) {
      const run = await this.getRun(runId);
      if (TERMINAL.includes(run.state)) return run;
      if (Date.now() > until) throw new Error(`${runId} is still ${run.state} after ${withinMs} ms`);
      await sleep(50);
    }
  }

  /** The whole log of a run as it stands. */
  async listEvents(runId: string): Promise<RunEventView[]> {
    const events: RunEventView[] = [];
    for (;;) {
      const { items } = await this.get(`/runs/${runId}/events?limit=1000&after=${events.at(-1)?.seq ?? 0}`, eventPage);
      if (items.length === 0) return events;
      events.push(...items);
    }
  }

  /** The live stream of a run. */
  stream(runId: string, headers: Record<string, string> = {}): Promise<EventStreamReader> {
    return this.openStream(`/runs/${runId}/events`, { headers });
  }

  openStream(path: string, request: { headers?: Record<string, string>; json?: unknown } = {}): Promise<EventStreamReader> {
    return openEventStream(this.urlOf(path), {
      headers: { ...this.identity, accept: 'text/event-stream', ...request.headers },
      ...(request.json === undefined ? {} : { json: request.json }),
    });
  }

  urlOf(path: string): string {
    return path.startsWith('/api/') ? `${this.origin}${path}` : `${this.origin}/api/t/${this.tenant}${path}`;
  }
}

function accepted<Shape>(answer: ClientAnswer, schema: z.ZodType<Shape>): Shape {
  if (answer.status >= 300) throw new Error(`refused with ${answer.status}: ${JSON.stringify(answer.body).slice(0, 500)}`);
  return schema.parse(answer.body);
}

/** Expects a refusal in the API's own form, and gives it. */
export function expectRefusal(answer: ClientAnswer, status: number, code: string): ErrorBody {
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status, body: { code } });
  expect(answer.headers.get('content-type')).toContain('application/json');
  const body = errorBody.strict().parse(answer.body);
  expect(body.message).not.toBe('');
  expect(body.traceId).toBe(answer.headers.get('x-trace-id'));
  return body;
}
