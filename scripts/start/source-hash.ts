import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** All that `next build` reads. What only tests, scripts and migrations read is left out. */
const SOURCES = [
  'app',
  'components',
  'db',
  'lib',
  'public',
  'instrumentation.ts',
  'instrumentation-node.ts',
  'next.config.ts',
  'package.json',
  'package-lock.json',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
];
const LEFT_OUT = /\.test\.tsx?$|^lib\/testing\/|^db\/(migrations|seed)\//;

/** A hash over the contents: a checkout that touches every file and changes none needs no new build. */
export function hashSources(root: string): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => listFiles(root, source))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(root: string, source: string): string[] {
  const place = path.join(root, source);
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [source];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !LEFT_OUT.test(file))
    .sort();
}
