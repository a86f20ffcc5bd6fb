import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface WorkingCopy {
  readonly root: string;
  remove(): void;
}

/** A copy of the files that git knows or would take, as they stand now, with the same packages. Faults are planted there only. */
export function copyWorkTree(root: string): WorkingCopy {
  const copy = mkdtempSync(path.join(tmpdir(), 'bailiwick-faults-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  // A file that was deleted and not yet committed is still listed.
  for (const file of listed.split('\0').filter((name) => name && existsSync(path.join(root, name)))) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(copy, file), { force: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}
