import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StdioProgram } from '#lib/mcp/index.ts';

const require = createRequire(import.meta.url);
const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
const FILESYSTEM = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const MEMORY = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');

/** The protocol's own example server, over streamable HTTP. It is a peer like any other: nothing of it is scripted. */
export async function startEverythingServer(port?: number) {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env: { ...process.env, PORT: String(chosen) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${chosen}/mcp`;
  for (let attempt = 0; ; attempt += 1) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (attempt > 600 || child.exitCode !== null) throw new Error('server-everything did not start');
    await sleep(100);
  }
  return {
    url,
    port: chosen,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export const everythingProgram = (): StdioProgram => aProgram('everything', [process.execPath, EVERYTHING, 'stdio']);
export const filesystemProgram = (folder: string): StdioProgram => aProgram('files', [process.execPath, FILESYSTEM, folder]);
export const memoryProgram = (file: string): StdioProgram => aProgram('memory', [process.execPath, MEMORY], { MEMORY_FILE_PATH: file });

/** A program of the operator's list; `source` of Node is run as it is. */
export function scriptProgram(source: string): StdioProgram {
  return aProgram('script', [process.execPath, '-e', source]);
}

function aProgram(key: string, command: readonly string[], environment: Record<string, string> = {}): StdioProgram {
  return { key, title: key, command, environment, folder: null };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
