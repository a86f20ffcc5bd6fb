import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where this instance keeps what is its own: `DATA_DIR`, or `.data` in the repository. Created when missing. */
export function openDataDirectory(root: string): string {
  const directory = path.resolve(root, process.env.DATA_DIR || '.data');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}

/** The instance's secret, made on first use. Whoever loses it loses what was encrypted with it. */
export function readSecret(dataDirectory: string): string {
  const file = path.join(dataDirectory, 'secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
}

/** How to sign in to the demo tenant, as the seed wrote it down; null when there is none. */
export function readDemoAccount(dataDirectory: string): { email: string; password: string; tenant: string } | null {
  const file = path.join(dataDirectory, 'demo.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
