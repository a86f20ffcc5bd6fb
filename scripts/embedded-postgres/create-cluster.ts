import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import { asAccount, giveTo, type ServerAccount } from './server-account.ts';

/** Makes an empty cluster. It appears under its name only when whole, so an interrupted start leaves nothing half made. */
export function createCluster(cluster: { directory: string; binaries: PostgresBinaries; account: ServerAccount; password: string }): void {
  const draft = `${cluster.directory}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const passwordFile = path.join(draft, 'password');
  const place = path.join(draft, 'cluster');
  mkdirSync(place, { mode: 0o700 });
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
  giveTo(cluster.account, draft);
  // Code point order and Unicode rules of Postgres' own from 17 on: the same on every system. Before, the C library's.
  const locale =
    cluster.binaries.major >= 17 ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--locale=C.UTF-8'];
  const args = ['-D', place, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', ...locale];
  const [command, commandArgs, options] = asAccount(cluster.account, cluster.binaries.initdb, args);
  const result = spawnSync(command, commandArgs, { ...options, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  if (result.status !== 0) throw new Error(`initdb failed:\n${(result.stderr ?? '').trim() || String(result.error)}`);
  renameSync(place, cluster.directory);
  rmSync(draft, { recursive: true });
}
