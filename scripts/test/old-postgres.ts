import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { systemBinaries } from '../embedded-postgres/index.ts';

const MAJOR = 15;

/** Debian's Postgres 15, the oldest that is supported, installed first when root on Debian. False where it is not to be had. */
export function provideOldPostgres(): boolean {
  if (systemBinaries(MAJOR)) return true;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing Debian’s PostgreSQL ${MAJOR}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', `postgresql-${MAJOR}`], { stdio: 'ignore', env });
  return systemBinaries(MAJOR) !== null;
}
