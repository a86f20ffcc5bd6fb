// The part of `npm start` and `npm test` that runs under any Node from 20 on, before anything is installed: it brings
// node_modules in line with the lock file and hands over to a TypeScript file under Node 24.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PRELOAD = pathToFileURL(path.join(ROOT, 'scripts', 'exit-with-parent.mjs')).href;
const BUNDLED_NODE = path.join(ROOT, 'node_modules', '.bin', 'node');
const INSTALL_LOCK = path.join(ROOT, '.data', 'installing');

/**
 * Installs what is missing, then runs `script` (a path from the repository's root) under Node 24 and ends as it ends.
 * The script ends when this process dies, however it dies: it gets SIGTERM and, after `graceMs`, SIGKILL with all its group.
 *
 * @param {string} script
 * @param {number} graceMs
 */
export async function bootstrap(script, graceMs) {
  await installPackages();
  const child = spawn(findNode24(), ['--import', PRELOAD, path.join(ROOT, script), ...process.argv.slice(2)], {
    cwd: ROOT,
    // A group of its own: Ctrl-C reaches this process, which passes it on once, and nothing is killed out of order.
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PATH: [path.join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter),
      EXIT_WITH_PARENT: String(process.pid),
      EXIT_WITH_PARENT_GRACE_MS: String(graceMs),
      STARTED_BY: process.env.npm_lifecycle_event ? `${process.pid} ${process.ppid}` : String(process.pid),
      NEXT_TELEMETRY_DISABLED: '1',
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  endWithNpm();
  child.on('error', (error) => fail(`Node 24 could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

async function installPackages() {
  if (isInstalled()) return;
  const release = await takeInstallLock();
  try {
    if (isInstalled()) return;
    const started = Date.now();
    console.log('Installing packages (npm ci): about a minute the first time');
    // npm warns about every package that wants a newer Node than the one it happens to run under; ours comes with them.
    const result = spawnSync('npm', ['ci', '--loglevel=error'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    if (result.error) fail(`npm could not be started: ${result.error.message}`);
    if (result.status !== 0) fail('npm ci failed: its messages stand above. Nothing was started.');
    console.log(`Installed packages in ${Math.round((Date.now() - started) / 1000)} s\n`);
  } finally {
    release();
  }
}

/** Whether node_modules holds what package-lock.json names: npm's own record of what it installed is compared with it. */
function isInstalled() {
  const installed = readLock(path.join(ROOT, 'node_modules', '.package-lock.json'));
  if (!installed) return false;
  const wanted = readLock(path.join(ROOT, 'package-lock.json'));
  if (!wanted) fail('package-lock.json is missing: this is not a whole copy of the repository.');
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '' || entry.link) return true;
    const present = installed[place];
    // What is built for other platforms is named by the lock file and not installed.
    return present ? present.version === entry.version : entry.optional === true || entry.devOptional === true;
  });
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

/** Two first starts at once would tear node_modules from each other's hands: the second waits here. */
async function takeInstallLock() {
  mkdirSync(path.dirname(INSTALL_LOCK), { recursive: true });
  for (let told = false; ; told = true) {
    try {
      writeFileSync(INSTALL_LOCK, String(process.pid), { flag: 'wx' });
      return () => rmSync(INSTALL_LOCK, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = Number(readFileSync(INSTALL_LOCK, { encoding: 'utf8', flag: 'a+' }));
    if (!isAlive(holder)) rmSync(INSTALL_LOCK, { force: true });
    else if (!told) console.log(`Another process (${holder}) is installing packages; waiting for it`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function findNode24() {
  const isBundled = existsSync(BUNDLED_NODE) && Number(versionOf(BUNDLED_NODE).split('.')[0]) >= 24;
  if (isBundled) return BUNDLED_NODE;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `Bailiwick needs Node 24. This is Node ${process.versions.node} on ${process.platform}-${process.arch}, for which no Node 24 comes ` +
      'with the packages (Linux on x64 and arm64 bring their own). Install Node 24 or newer and run the same command again.',
  );
}

function versionOf(node) {
  return spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout ?? '';
}

/** Started by npm (a script that begins with `exec`, so that no shell stands between), the end of npm is the end of this process, even when npm was killed and could not say so. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, 200).unref();
}

/** @returns {never} */
function fail(message) {
  console.error(`\n${message}`);
  process.exit(1);
}
