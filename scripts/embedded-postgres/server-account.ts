import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Postgres refuses to run as root. How it runs instead:
 * - `self`: as the person who started this, who is not root;
 * - `namespace`: as root in a user namespace in which root has another number, so that its files stay root's;
 * - `user`: as another user of the system, where user namespaces are blocked.
 */
export type ServerAccount = { readonly kind: 'self' } | { readonly kind: 'namespace' | 'user'; readonly uid: number; readonly gid: number };

/** Throws when root cannot give up its rights in either way. */
export function chooseServerAccount(binary: string): ServerAccount {
  if (process.getuid?.() !== 0) return { kind: 'self' };
  // initdb looks its user up, so the number must have a name on this system.
  const nobody = lookUp('postgres') ?? lookUp('nobody');
  if (nobody) {
    const account = { kind: 'namespace', ...nobody } as const;
    if (spawnSync(...asAccount(account, binary, ['--version'])).status === 0) return account;
  }
  const user = lookUp('postgres') ?? createUser();
  if (user) {
    const account = { kind: 'user', ...user } as const;
    if (spawnSync(...asAccount(account, binary, ['--version'])).status === 0) return account;
  }
  throw new Error(
    'Postgres does not run as root, this system blocks user namespaces, and the user "postgres" cannot run ' +
      `${binary}.\nStart as an ordinary user, move the folder to where others may read it, or set DATABASE_URL.`,
  );
}

/** What to hand to `spawn` so that `command` runs under the account. */
export function asAccount(account: ServerAccount, command: string, args: string[]): [string, string[], { uid?: number; gid?: number }] {
  if (account.kind === 'self') return [command, args, {}];
  if (account.kind === 'user') return [command, args, { uid: account.uid, gid: account.gid }];
  return ['unshare', ['--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`, command, ...args], {}];
}

/** Makes the account the owner of a folder and all in it, which Postgres insists on. */
export function giveTo(account: ServerAccount, directory: string): void {
  if (account.kind === 'self') return;
  const owner = account.kind === 'user' ? account : { uid: 0, gid: 0 };
  if (lstatSync(directory).uid === owner.uid) return;
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(directory, name), owner.uid, owner.gid);
  chownSync(directory, owner.uid, owner.gid);
}

function lookUp(name: string): { uid: number; gid: number } | null {
  if (!existsSync('/etc/passwd')) return null;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}

function createUser(): { uid: number; gid: number } | null {
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']);
  return lookUp('postgres');
}
