import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endOf, spawnOwned } from '../owned-process.ts';
import { hashSources } from './source-hash.ts';

/**
 * Builds the pages unless the build that is there was made from these sources. Throws with the end of the build's output
 * when it fails.
 *
 * @returns whether a build was needed
 */
export async function buildIfChanged(root: string, dataDirectory: string): Promise<boolean> {
  const stamp = path.join(root, '.next', 'source-hash');
  const hash = hashSources(root);
  const isCurrent = existsSync(path.join(root, '.next', 'BUILD_ID')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (isCurrent) return false;
  const logFile = path.join(dataDirectory, 'build.log');
  const log = openSync(logFile, 'w');
  try {
    const build = spawnOwned([path.join(root, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
      output: log,
      graceMs: 0,
    });
    if ((await endOf(build)) !== 0) throw new Error(`The build failed:\n${lastLines(logFile, 60)}`);
  } finally {
    closeSync(log);
  }
  writeFileSync(stamp, hash);
  return true;
}

function lastLines(file: string, count: number): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}
