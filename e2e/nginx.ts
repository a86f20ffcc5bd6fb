import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../scripts/free-port.ts';

const PLACES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'];

export interface Nginx {
  /** One nginx in front of the product, and two in a row. */
  readonly oneOrigin: string;
  readonly twoOrigin: string;
  stop(): Promise<void>;
}

/**
 * Runs a real nginx in front of `origin`, installed from Debian's packages where it is missing and that is possible. It
 * buffers as it does by default, and gives up on a silent server after `readTimeoutSeconds`. The first compresses whatever
 * it may, event streams too; the second what nginx compresses by default.
 */
export async function startNginx(origin: string, readTimeoutSeconds: number): Promise<Nginx> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bailiwick-nginx-'));
  const [one, two] = [await findFreePort(), await findFreePort()];
  const file = path.join(folder, 'nginx.conf');
  const servers = [
    { port: one, upstream: origin, gzip: 'gzip_types *; gzip_proxied any; gzip_min_length 0;' },
    { port: two, upstream: `http://127.0.0.1:${one}`, gzip: '' },
  ];
  writeFileSync(file, configuration({ folder, readTimeoutSeconds, servers }));
  const child = spawn(provideNginx(), ['-p', folder, '-c', file, '-e', path.join(folder, 'error.log')], { stdio: 'ignore' });
  try {
    await Promise.all([one, two].map((port) => waitUntilOpen(child, port)));
  } catch (error) {
    throw new Error(`nginx did not start:\n${readFileSync(path.join(folder, 'error.log'), 'utf8')}`, { cause: error });
  }
  return {
    oneOrigin: `http://127.0.0.1:${one}`,
    twoOrigin: `http://127.0.0.1:${two}`,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface ProxyServer {
  readonly port: number;
  readonly upstream: string;
  readonly gzip: string;
}

function configuration(options: { folder: string; readTimeoutSeconds: number; servers: readonly ProxyServer[] }): string {
  const servers = options.servers.map(
    ({ port, upstream, gzip }) => `
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${upstream};
      proxy_read_timeout ${options.readTimeoutSeconds}s;
    }
    ${gzip}
  }`,
  );
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${options.folder}/${name};`);
  return `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${options.folder}/nginx.pid;
events { worker_connections 256; }
http {
${places.join('\n')}
  access_log off;
  gzip on;
${servers.join('\n')}
}
`;
}

/** Throws with what to do when there is no nginx and none can be installed. */
function provideNginx(): string {
  const find = () => PLACES.find((place) => existsSync(place));
  if (!find() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'nginx-light'],
    ])
      spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  }
  const found = find();
  if (!found) throw new Error(`This test needs nginx in one of ${PLACES.join(', ')}: install it.`);
  return found;
}

async function waitUntilOpen(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (child.exitCode !== null) break;
    if (await isOpen(port)) return;
    await sleep(50);
  }
  throw new Error(`nobody listens on port ${port}`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
