import { readdirSync, readFileSync } from 'node:fs';
import type { Messages } from '#lib/i18n/index.ts';

const FOLDER = 'lib/i18n/messages/en';

/** All English messages, for components under test. */
export const ENGLISH = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'))]),
) as unknown as Messages;
