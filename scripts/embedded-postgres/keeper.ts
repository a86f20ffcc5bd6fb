// Runs one Postgres server and stops it when the owner disconnects: at its word, or because it is gone.
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';

const FAST_STOP_MS = 20_000;

const { command, args, options, logFile } = JSON.parse(process.argv[2] ?? '');
const log = openSync(logFile, 'a', 0o600);
const server = spawn(command, args, { ...options, stdio: ['ignore', log, log] });

// Fast: connections are closed and all is written out. Only a server that hangs is ended without (and recovers next time).
const stop = () => {
  server.kill('SIGINT');
  setTimeout(() => server.kill('SIGQUIT'), FAST_STOP_MS).unref();
};
process.on('disconnect', stop);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);

server.on('error', (error) => {
  console.error(`Postgres could not be started: ${error.message}`);
  process.exit(1);
});
server.on('exit', (code) => process.exit(code ?? 1));
process.send?.({ serverPid: server.pid });
