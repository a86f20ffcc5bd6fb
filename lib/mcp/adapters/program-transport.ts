import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { StdioProgram } from '../ports.ts';

/** One message may be so long; a program that writes more without a line's end floods us. */
const LINE_LIMIT_BYTES = 8 * 1024 * 1024;
/** Lines that are no messages: a few are chatter, more are none of our protocol. */
const GARBAGE_LIMIT = 200;
const STDERR_LIMIT = 8 * 1024;
const CLOSE_GRACE_MS = 500;
const TERMINATE_GRACE_MS = 1_000;

/**
 * Runs the program in a process group of its own, and ends the whole group when the pipe to us breaks: whatever kills us, no
 * child stays behind (known fault K12). The program's words are arguments and never read by the shell.
 */
const GUARD = `
exec 4<&0
"$@" <&4 3<&- 4<&- &
program=$!
exec 4<&- 0</dev/null
( trap '' TERM; read -r _ <&3; kill -TERM 0; sleep 1; kill -KILL 0 ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$program"
code=$?
kill -KILL "$watcher" 2>/dev/null
exit "$code"
`;

/**
 * MCP over the standard streams of a local program, supervised: callers hear within moments that it has gone, a flood or
 * garbage ends it, and closing ends it and all it has started, by force where it must.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: StdioProgram;
  #child: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();
  #chunks: Buffer[] = [];
  #pendingBytes = 0;
  #garbage = 0;
  #stderr = '';
  #ending: string | null = null;

  constructor(program: StdioProgram) {
    this.#program = program;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Why it ended, in a sentence; null while it runs. */
  get ending(): string | null {
    return this.#ending;
  }

  get processId(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const [executable = '', ...words] = this.#program.command;
    const child: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'mcp-server', executable, ...words], {
      cwd: this.#program.folder ?? '/',
      // Nothing of ours: it may hold keys.
      env: { NODE_ENV: 'production', PATH: process.env.PATH ?? '/usr/bin:/bin', ...this.#program.environment },
      // A group of its own: it is ended as a whole.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdin, child.stdio[3] as Writable]) stream?.on('error', () => undefined);
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_LIMIT);
    });
    const exited = Promise.withResolvers<void>();
    this.#exited = exited.promise;
    child.once('exit', (code, signal) => {
      this.#ending ??= signal ? `The program was ended by ${signal}.` : `The program ended with code ${code ?? 0}.`;
      // What it has started and left behind.
      this.#signalGroup('SIGKILL');
      exited.resolve();
      this.onclose?.();
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#ending ??= error.message;
        exited.resolve();
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable || this.#ending !== null) throw new Error(this.#ending ?? 'The program does not run.');
    const refused = await new Promise<Error | null | undefined>((resolve) => stdin.write(`${JSON.stringify(message)}\n`, resolve));
    if (!refused) return;
    // A broken pipe: why it broke is known in a moment.
    await this.#exitsWithin(CLOSE_GRACE_MS);
    throw new Error(this.#ending ?? refused.message);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child || this.#ending !== null) return;
    child.stdin?.end();
    if (await this.#exitsWithin(CLOSE_GRACE_MS)) return;
    this.#signalGroup('SIGTERM');
    if (await this.#exitsWithin(TERMINATE_GRACE_MS)) return;
    this.#signalGroup('SIGKILL');
    await this.#exited;
  }

  #read(chunk: Buffer): void {
    if (this.#ending !== null) return;
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...this.#chunks, rest.subarray(0, end)]).toString('utf8');
      this.#chunks = [];
      this.#pendingBytes = 0;
      rest = rest.subarray(end + 1);
      this.#take(line.trim());
      if (this.#ending !== null) return;
    }
    this.#pendingBytes += rest.byteLength;
    if (this.#pendingBytes > LINE_LIMIT_BYTES)
      return this.#stop(`The program wrote more than ${LINE_LIMIT_BYTES} bytes without a message.`);
    if (rest.byteLength > 0) this.#chunks.push(rest);
  }

  #take(line: string): void {
    if (line === '') return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch {
      this.#garbage += 1;
      if (this.#garbage > GARBAGE_LIMIT) this.#stop('The program writes text that is no MCP message.');
      return;
    }
    this.onmessage?.(message);
  }

  #stop(reason: string): void {
    this.#ending = reason;
    this.#chunks = [];
    this.onerror?.(new Error(reason));
    this.#signalGroup('SIGKILL');
  }

  #signalGroup(signal: NodeJS.Signals): void {
    const id = this.#child?.pid;
    if (id === undefined) return;
    try {
      process.kill(-id, signal);
    } catch {
      // It has gone by itself.
    }
  }

  #exitsWithin(ms: number): Promise<boolean> {
    return Promise.race([this.#exited.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, ms, false).unref())]);
  }
}
