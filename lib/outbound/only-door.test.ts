import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Server code. What runs in the browser calls this server, under the page's policy. */
const FOLDERS = ['lib', 'db', 'app'];
const OPENS_A_CONNECTION = /(?<![.\w])fetch\(|from '(node:)?(net|tls|http|https|http2|dgram)'|\bnew WebSocket\(|from '(undici|nodemailer)'/;
/** The door itself. */
const MAY = ['lib/outbound/adapters/guarded-fetch.ts', 'lib/outbound/adapters/outbound-guard.ts'];
/** The operator's own mail server, wherever it stands; no tenant has a say in its address. */
const MAIL = ['lib/notifications/adapters/smtp-mailer.ts'];
/** Marks whom a request came from; opens nothing. */
const LISTENS = ['lib/auth/peer.ts'];

it('nothing on the server calls out except through the guarded door', () => {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  ).filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('lib/testing/'));
  const callers = sources.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return !text.startsWith("'use client'") && OPENS_A_CONNECTION.test(text);
  });
  expect(callers.filter((file) => ![...MAY, ...MAIL, ...LISTENS].includes(file))).toEqual([]);
  expect(callers).toEqual(expect.arrayContaining(MAY));
});
