import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { AppError, isAppError, type JsonObject, messageOf } from '#lib/kernel/index.ts';
import type { GuardedFetch } from '#lib/outbound/index.ts';
import { McpConnectFailure, McpSessionLost } from '../domain/connect-failure.ts';
import { isOwnName, RESOURCE_TOOLS } from '../domain/resource-tools.ts';
import type { HandshakeStep } from '../domain/server.ts';
import {
  type ConnectionListener,
  IDEMPOTENCY_META,
  type McpConnection,
  type McpConnector,
  type McpSignIn,
  type McpTarget,
  type ToolListing,
} from '../ports.ts';
import { limitFetch } from './limited-fetch.ts';
import { listPages } from './list-pages.ts';
import { ProgramTransport } from './program-transport.ts';
import { readListedTool, readToolResult } from './sdk-content.ts';
import { callResourceTool } from './sdk-resources.ts';
import { signFetch } from './signed-fetch.ts';

export interface SdkConnectorOptions {
  readonly fetch: GuardedFetch;
  readonly version: string;
  /** Why a schema cannot be checked against; null: it can. */
  readonly findSchemaFault: (schema: JsonObject) => string | null;
  /** What a request may take without a sign of life. */
  readonly idleTimeoutMs: number;
}

const page = z.looseObject({ nextCursor: z.string().optional() });
const DETAIL_LIMIT = 500;

/**
 * MCP by the official client, in the newest revision that the server speaks (2026-07-28, else 2025-11-25 and before). Its
 * transport is used; pages, time limits, lost sessions and local programs are ours, where it has known faults (K9 to K12).
 */
export function createSdkConnector(options: SdkConnectorOptions): McpConnector {
  return { connect: (target, listener, signal) => new SdkConnection(options, target, listener).open(signal) };
}

class SdkConnection implements McpConnection {
  readonly steps: HandshakeStep[] = [];
  readonly #options: SdkConnectorOptions;
  readonly #client: Client;
  readonly #transport: StreamableHTTPClientTransport | ProgramTransport;
  /** Fires when the connection breaks, so that nobody waits for what cannot come. */
  readonly #broken = new AbortController();
  readonly #listener: ConnectionListener;
  readonly #secrets: Set<string>;
  #isClosed = false;

  constructor(options: SdkConnectorOptions, target: McpTarget, listener: ConnectionListener) {
    this.#options = options;
    this.#listener = listener;
    this.#secrets = new Set(target.reach.transport === 'http' ? secretsOf(target.reach.headers) : []);
    this.#client = new Client(
      { name: 'bailiwick', title: 'Bailiwick', version: options.version },
      {
        versionNegotiation: { mode: 'auto' },
        listChanged: { tools: { autoRefresh: false, debounceMs: 100, onChanged: () => listener.onToolsChanged() } },
      },
    );
    this.#transport = this.#createTransport(target);
    this.#client.onclose = () => this.#end('The connection was closed.');
    // What is wrong with one message is told to who waits for it; a stream is opened again by the transport.
    this.#client.onerror = () => undefined;
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  get about(): McpConnection['about'] {
    const server = this.#client.getServerVersion();
    return {
      serverName: server?.title ?? server?.name ?? null,
      serverVersion: server?.version ?? null,
      protocolVersion: this.#client.getNegotiatedProtocolVersion() ?? null,
      instructions: this.#client.getInstructions()?.slice(0, 4_000) ?? null,
    };
  }

  readStderr(): string {
    return this.#transport instanceof ProgramTransport ? this.#transport.stderr : '';
  }

  async open(signal: AbortSignal): Promise<this> {
    const started = performance.now();
    try {
      await this.#client.connect(this.#transport, { timeout: this.#options.idleTimeoutMs, signal: this.#until(signal) });
    } catch (error) {
      const failure = this.#describe(error);
      const isUnauthorized = isRefusal(error);
      this.#note('initialize', started, false, failure);
      await this.close();
      throw new McpConnectFailure({
        message: failure,
        steps: this.steps,
        isUnauthorized,
        stderr: this.readStderr(),
        cause: error,
      });
    }
    const { serverName, serverVersion, protocolVersion } = this.about;
    this.#note('initialize', started, true, `${serverName ?? '?'} ${serverVersion ?? ''} · ${protocolVersion ?? '?'}`);
    return this;
  }

  async listTools(signal: AbortSignal): Promise<ToolListing> {
    const announced = this.#client.getServerCapabilities();
    const own = announced?.resources ? RESOURCE_TOOLS : [];
    if (!announced?.tools) return { tools: own, warnings: own.length > 0 ? [] : ['no-tools-capability'], pages: 0 };
    const { items, pages, warnings } = await listPages(async (cursor) => {
      const answer = await this.#ask(signal, (requestOptions) =>
        this.#client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, page, requestOptions),
      );
      return { items: Array.isArray(answer.tools) ? answer.tools : [], nextCursor: answer.nextCursor };
    });
    const read = items.map((item) => readListedTool(item, this.#options.findSchemaFault));
    const named = read.filter((tool) => tool !== null);
    const tools = [...new Map(named.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
    return {
      tools: [...tools, ...own],
      pages,
      warnings: [
        ...warnings,
        ...(tools.length < named.length ? ['duplicate-names'] : []),
        ...(named.length < read.length ? ['malformed-tools'] : []),
      ],
    };
  }

  async callTool(call: Parameters<McpConnection['callTool']>[0]) {
    const { name, definition, idempotencyKey, timeoutMs, onProgress } = call;
    const total = AbortSignal.timeout(timeoutMs);
    const result = await this.#ask(
      AbortSignal.any([call.signal, total]),
      async (requestOptions) => {
        if (isOwnName(name)) {
          const ask = (method: string, params: JsonObject) => this.#client.request({ method, params }, page, requestOptions);
          return callResourceTool(ask, name, call.arguments);
        }
        const answer = await this.#client.callTool(
          { name, arguments: call.arguments, _meta: { [IDEMPOTENCY_META]: idempotencyKey } },
          {
            ...requestOptions,
            // Without a listener no progress is asked for, and none keeps the call alive (known fault K11).
            onprogress: ({ progress, total: of, message }) =>
              onProgress({ progress, total: of ?? null, message: message ? this.#hide(message) : null }),
            resetTimeoutOnProgress: true,
            maxTotalTimeout: timeoutMs,
            toolDefinition: { name, inputSchema: definition.inputSchema },
          },
        );
        return readToolResult(answer);
      },
      { totalMs: timeoutMs, total },
    );
    return { ...result, content: result.content.map((part) => (part.type === 'text' ? { ...part, text: this.#hide(part.text) } : part)) };
  }

  async close(): Promise<void> {
    if (this.#transport instanceof StreamableHTTPClientTransport && this.#transport.sessionId && !this.#isClosed) {
      // Good manners, and nothing to wait for: a server may keep its sessions.
      await Promise.race([this.#transport.terminateSession().catch(() => undefined), pause(1_000)]);
    }
    await this.#client.close().catch(() => undefined);
    await this.#transport.close().catch(() => undefined);
    this.#end('The connection was closed.');
  }

  #createTransport(target: McpTarget): StreamableHTTPClientTransport | ProgramTransport {
    if (target.reach.transport === 'stdio') return new ProgramTransport(target.reach.program);
    return new StreamableHTTPClientTransport(target.reach.url, {
      fetch: limitFetch(this.#signed(target.signIn), (reason) => this.#end(messageOf(reason))),
      requestInit: { headers: { ...target.reach.headers }, redirect: 'error' },
      reconnectionOptions: { initialReconnectionDelay: 1_000, maxReconnectionDelay: 30_000, reconnectionDelayGrowFactor: 2, maxRetries: 5 },
    });
  }

  /** With the person's token, where each signs in; what was sent is hidden like any other secret. */
  #signed(signIn: McpSignIn | null): GuardedFetch {
    if (!signIn) return this.#options.fetch;
    const noted = async (token: Promise<string>) => {
      this.#secrets.add(await token);
      return token;
    };
    return signFetch(this.#options.fetch, {
      ...signIn,
      readToken: () => noted(signIn.readToken()),
      renew: (refused) => noted(signIn.renew(refused)),
    });
  }

  /** One request: `AppError` for what the server said, `McpSessionLost` where nothing more can come from this connection. */
  async #ask<Answer>(
    signal: AbortSignal,
    request: (options: { signal: AbortSignal; timeout: number }) => Promise<Answer>,
    limits?: { totalMs: number; total: AbortSignal },
  ): Promise<Answer> {
    if (this.#isClosed) throw new McpSessionLost('The connection is closed.');
    try {
      return await request({ signal: this.#until(signal), timeout: this.#options.idleTimeoutMs });
    } catch (error) {
      throw this.#toFailure(error, signal, limits);
    }
  }

  #toFailure(error: unknown, signal: AbortSignal, limits?: { totalMs: number; total: AbortSignal }): unknown {
    if (limits?.total.aborted) {
      return new AppError({ code: 'timeout', message: `The tool did not end within ${limits.totalMs} ms.`, cause: error });
    }
    if (signal.aborted) return new AppError({ code: 'timeout', message: 'aborted', cause: error });
    if (this.#broken.signal.aborted || isSessionLoss(error, this.#transport)) {
      this.#end(messageOf(error));
      return new McpSessionLost(this.#describe(this.#broken.signal.reason ?? error), error);
    }
    const own = findOwn(error);
    if (own) return own;
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
      const { idleTimeoutMs } = this.#options;
      return new AppError({ code: 'timeout', message: `The server gave no sign of life for ${idleTimeoutMs} ms.`, cause: error });
    }
    if (isRefusal(error)) return new AppError({ code: 'unauthenticated', message: 'The server asks for a sign-in.', cause: error });
    const says = error instanceof ProtocolError ? this.#hide(`The server refused: ${error.message}`) : this.#describe(error);
    return new AppError({ code: 'capability_failed', message: says.slice(0, DETAIL_LIMIT), cause: error });
  }

  #until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#broken.signal]);
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#broken.abort(new Error(reason));
    this.#listener.onClosed();
  }

  #note(step: HandshakeStep['step'], started: number, ok: boolean, detail: string): void {
    this.steps.push({ step, ok, detail: detail.trim(), ms: Math.round(performance.now() - started) });
  }

  /** A server that repeats what it was sent, as some do, does not bring it into errors and records. */
  #hide(text: string): string {
    return [...this.#secrets].reduce((hidden, secret) => hidden.replaceAll(secret, '••••'), text);
  }

  #describe(error: unknown): string {
    const ending = this.#transport instanceof ProgramTransport ? this.#transport.ending : null;
    return this.#hide(ending ?? causesOf(error)).slice(0, DETAIL_LIMIT);
  }
}

const SHORTEST_SECRET = 6;

/** Values of headers, and what stands behind their scheme: `Bearer x` is also x. */
function secretsOf(headers: Readonly<Record<string, string>>): string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.split(' ').at(-1) ?? '']);
  return [...new Set(values)].filter((value) => value.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

/** What we said ourselves, under whatever the client put around it. */
function findOwn(error: unknown): AppError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (isAppError(cause)) return cause;
  return null;
}

function isRefusal(error: unknown): boolean {
  return (
    findOwn(error)?.code === 'unauthenticated' ||
    error instanceof UnauthorizedError ||
    (error instanceof SdkHttpError && error.data?.status === 401)
  );
}

/** 404 for a session is what the protocol has it mean; some servers say 400 and name the session in their text. */
function isSessionLoss(error: unknown, transport: StreamableHTTPClientTransport | ProgramTransport): boolean {
  if (error instanceof SdkError && (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected)) return true;
  if (transport instanceof ProgramTransport) return transport.ending !== null;
  if (!(error instanceof SdkHttpError) || transport.sessionId === undefined) return false;
  const status = error.data?.status;
  return status === 404 || (status === 400 && /session/i.test(error.message));
}

/** "fetch failed" says nothing; what caused it does, and a refusal of ours says all. */
function causesOf(error: unknown): string {
  const own = findOwn(error);
  if (own) return own.message;
  const parts: string[] = [];
  for (let cause = error; cause instanceof Error && parts.length < 4; cause = cause.cause) {
    if (cause.message !== '' && !parts.includes(cause.message)) parts.push(cause.message);
    const status = cause instanceof SdkHttpError ? cause.data?.status : undefined;
    if (status !== undefined) return `HTTP ${status}`;
  }
  return parts.join(': ') || String(error);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
