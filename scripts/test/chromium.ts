import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];

/** A Chromium that is installed: `CHROMIUM_PATH`, else one of the system's. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...PLACES].find((place) => place && existsSync(place));
}

/**
 * Makes sure that there is a browser to test with: one that is installed, else Debian's package (as root on Debian, with a
 * Chinese font), else Playwright's download, which CI cannot reach. Throws with what to do when none can be had.
 */
export function provideChromium(): void {
  if (findChromium()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Debian’s Chromium');
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-cjk']);
    if (findChromium()) return;
  }
  if (process.env.CI) throw new Error('No Chromium: install one, or name it with CHROMIUM_PATH');
  run('npx', ['playwright', 'install', 'chromium']);
}

function run(command: string, args: string[]): void {
  const result = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed: install Chromium, or name it with CHROMIUM_PATH`);
}
