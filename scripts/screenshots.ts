// `npm run screenshots [-- --url http://127.0.0.1:3000]`: pictures of every page for people to look at, in .tmp/screenshots:
// light, dark, phone and Chinese. Also renews docs/images, which the README shows. Without --url it starts a product of its
// own with the demo tenant.
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { createInvitationResult } from '#lib/tenancy/contract.ts';
import { startDemoModel } from './demo-model.ts';
import { findFreePort } from './free-port.ts';
import { endOwned, spawnOwned } from './owned-process.ts';
import { findChromium, provideChromium } from './test/chromium.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, '.tmp', 'screenshots');
const { values } = parseArgs({ options: { url: { type: 'string' } } });

const LOOKS = {
  light: { viewport: { width: 1360, height: 860 }, colorScheme: 'light', locale: 'en-GB' },
  dark: { viewport: { width: 1360, height: 860 }, colorScheme: 'dark', locale: 'en-GB' },
  chinese: { viewport: { width: 1360, height: 860 }, colorScheme: 'light', locale: 'zh-CN' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'en-GB', hasTouch: true, isMobile: true },
  'phone-dark-chinese': { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'zh-CN', hasTouch: true, isMobile: true },
} as const;
type Look = keyof typeof LOOKS;

const QUESTIONS = [
  'How late is the library open, and how many miles are 42 km?',
  'What time is it in Tokyo and what is 17% of 2,340?',
  '奖学金申请材料有哪些，晚上食堂营业到几点？',
] as const;

/** What the README shows. */
const readmePicture = (name: string) => path.join(root, 'docs', 'images', `${name}.png`);

await using owned = new AsyncDisposableStack();
const origin = values.url ?? (await startProduct());
provideChromium();
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
});
owned.defer(() => browser.close());
rmSync(folder, { recursive: true, force: true });

const state = await openDemo(browser);
const addresses = await fillDemo(browser);
if (values.url === undefined) await useModel(browser);
const operator = values.url === undefined ? await becomeOperator(browser) : null;
for (const look of Object.keys(LOOKS) as Look[]) await takeAll(browser, look);
await takeReadmePictures(browser);
console.log(`The pictures are in ${path.relative(process.cwd(), folder) || folder}`);

/** The product as its users start it, over a data directory that is thrown away. */
async function startProduct(): Promise<string> {
  const data = mkdtempSync(path.join(tmpdir(), 'bailiwick-screenshots-'));
  owned.defer(() => rmSync(data, { recursive: true, force: true }));
  const port = await findFreePort();
  const env = {
    ...process.env,
    DATA_DIR: data,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: '',
    PUBLIC_URL: '',
    DEMO: '',
    OUTBOUND_ALLOW: '127.0.0.1',
  };
  const child = spawnOwned([path.join(root, 'scripts', 'start', 'main.ts')], { cwd: root, env, output: 'inherit', graceMs: 10_000 });
  owned.defer(() => endOwned(child, 30_000));
  const url = `http://127.0.0.1:${port}`;
  for (let waitedMs = 0; waitedMs < 300_000; waitedMs += 250) {
    if (child.exitCode !== null) break;
    if (
      await fetch(`${url}/api/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return url;
    await sleep(250);
  }
  throw new Error('The product did not start: its messages stand above.');
}

async function openDemo(browser: Browser): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await browser.newContext({ ...LOOKS.light, baseURL: origin });
  const page = await context.newPage();
  await page.goto('/welcome');
  await page.getByRole('button', { name: 'Open the demo workspace' }).click();
  await page.waitForURL('**/demo/chat/ses_*');
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Chats and runs for the pictures; gives the addresses of what was made. */
async function fillDemo(browser: Browser): Promise<Readonly<Record<string, string>>> {
  const context = await browser.newContext({ ...LOOKS.light, baseURL: origin, storageState: state });
  const page = await context.newPage();
  for (const question of QUESTIONS) {
    await page.goto('/demo/chat');
    await ask(page, question);
  }
  const chat = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'See how this ran' }).first().click();
  await page.waitForURL('**/runs/run_*');
  const run = new URL(page.url()).pathname;
  await page.goto('/demo/knowledge');
  const document = await page.locator('a[href*="/knowledge/doc_"]').first().getAttribute('href');
  const invited = await page.request.post('/api/t/demo/invitations', { data: { roleKey: 'member' }, headers: { origin } });
  const invitation = new URL(createInvitationResult.parse(await invited.json()).url).pathname;
  await context.close();
  return { chat, run, document: document ?? '/demo/knowledge', invitation };
}

/** Connects a model with a price, limits what it may cost, and asks it: pages of usage, budgets and metrics are then filled. */
async function useModel(browser: Browser): Promise<void> {
  const model = await startDemoModel();
  owned.defer(model.close);
  const context = await browser.newContext({ ...LOOKS.light, baseURL: origin, storageState: state });
  const page = await context.newPage();
  const post = async (address: string, data: object) => {
    const answer = await page.request.post(`/api/t/demo/${address}`, { data, headers: { origin } });
    if (!answer.ok()) throw new Error(`${address}: ${answer.status()} ${await answer.text()}`);
  };
  await post('models/providers', {
    kind: 'compatible',
    name: 'House model',
    baseUrl: model.url,
    model: 'house-large',
    price: { currency: 'EUR', inputMicros: 2_000_000, cachedInputMicros: 200_000, cacheWriteMicros: 2_000_000, outputMicros: 9_000_000 },
  });
  await page.request.put('/api/t/demo/models/policy', { data: { isEnabled: true, fallsBack: false }, headers: { origin } });
  await post('budgets', { subject: 'tenant', measure: 'money', currency: 'EUR', period: 'month', softLimit: 20_000, hardLimit: 5_000_000 });
  await post('budgets', { subject: 'session', measure: 'tokens', period: 'total', softLimit: 40_000, hardLimit: 60_000 });
  for (const question of ['When may I use the reading room?', 'And on Sundays?']) {
    await page.goto('/demo/chat');
    await ask(page, question);
  }
  await context.close();
}

/** Makes the first workspace, as who sets a server up does, and signs in as its owner. */
async function becomeOperator(browser: Browser): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await browser.newContext({ ...LOOKS.light, baseURL: origin });
  const page = await context.newPage();
  const person = { name: 'Olive Park', email: 'olive@example.com', password: randomUUID() };
  await page.request.post('/api/welcome', { data: { name: 'Harbour School', slug: 'harbour', person }, headers: { origin } });
  await page.goto('/sign-in');
  await settle(page);
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/harbour/**');
  const state = await context.storageState();
  await context.close();
  return state;
}

async function ask(page: Page, question: string): Promise<void> {
  await settle(page);
  await page.getByRole('textbox', { name: 'Message' }).fill(question);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('link', { name: 'See how this ran' }).first().waitFor();
}

async function takeAll(browser: Browser, look: Look): Promise<void> {
  const pages: readonly (readonly [string, string])[] = [
    ['new-chat', '/demo/chat'],
    ['chat', addresses.chat ?? ''],
    ['runs', '/demo/runs'],
    ['runs-filtered-to-nothing', '/demo/runs?q=nobody+asked+this'],
    ['run-timeline', `${addresses.run}?view=timeline`],
    ['run-events', `${addresses.run}?view=events`],
    ['run-plan', `${addresses.run}?view=plan`],
    ['knowledge', '/demo/knowledge'],
    ['document', addresses.document ?? ''],
    ['new-document', '/demo/knowledge/new'],
    ['terms', '/demo/knowledge/terms'],
    ['memory', '/demo/memory'],
    ['inbox', '/demo/inbox'],
    ['general', '/demo/settings/general'],
    ['notifications', '/demo/settings/notifications'],
    ['members', '/demo/settings/members'],
    ['access', '/demo/settings/access?what=tenant%3Adelete'],
    ['roles', '/demo/settings/roles'],
    ['models', '/demo/settings/models'],
    ['budgets', '/demo/settings/budgets'],
    ['usage', '/demo/settings/usage'],
    ['metrics', '/demo/metrics'],
    ['approvals', '/demo/settings/approvals'],
    ['mcp', '/demo/settings/mcp'],
    ['accounts', '/demo/settings/accounts'],
    ['marketplace', '/demo/marketplace?view=all'],
    ['plugin', '/demo/marketplace/QA_SIM'],
    ['api-keys', '/demo/settings/api-keys'],
    ['account-profile', '/account/profile'],
    ['account-appearance', '/account/appearance'],
    ['account-shortcuts', '/account/shortcuts'],
    ['account-sign-ins', '/account/sessions'],
    ['not-found', '/demo/nothing-here'],
  ];
  await take(browser, look, state, pages);
  await take(browser, look, undefined, [
    ['sign-in', '/sign-in'],
    ['welcome', '/welcome'],
    ['api-reference', '/docs/api'],
    ['error-catalogue', '/docs/errors'],
    ['reset-over', '/reset/no-such-link'],
    ['invitation', addresses.invitation ?? ''],
  ]);
  if (operator) {
    await take(browser, look, operator, [
      ['operator-tenants', '/operator/tenants'],
      ['operator-accounts', '/operator/accounts'],
      ['operator-health', '/operator/health'],
    ]);
  }
  console.log(look);
}

async function take(
  browser: Browser,
  look: Look,
  storageState: typeof state | undefined,
  pages: readonly (readonly [string, string])[],
): Promise<void> {
  const context = await browser.newContext({ ...LOOKS[look], baseURL: origin, ...(storageState && { storageState }) });
  const page = await context.newPage();
  for (const [name, address] of pages) {
    await page.goto(address);
    await settle(page);
    await page.screenshot({ path: path.join(folder, look, `${name}.png`) });
  }
  await context.close();
}

async function takeReadmePictures(browser: Browser): Promise<void> {
  mkdirSync(path.join(root, 'docs', 'images'), { recursive: true });
  const context = await browser.newContext({
    ...LOOKS.light,
    viewport: { width: 1280, height: 800 },
    baseURL: origin,
    storageState: state,
  });
  const page = await context.newPage();
  // What a new person sees: the chat that was answered at the first start.
  await page.goto('/demo?sample=1');
  await settle(page);
  await page.screenshot({ path: readmePicture('chat') });
  await page.getByRole('link', { name: 'See how this ran' }).click();
  await page.waitForURL('**/runs/run_*');
  await settle(page);
  await page
    .getByRole('list', { name: 'Timeline' })
    .getByRole('button', { name: /^Search documents/ })
    .click();
  await settle(page);
  await page.screenshot({ path: readmePicture('run') });
  await page.goto('/demo/runs');
  await settle(page);
  await page.keyboard.press('Control+k');
  await settle(page);
  await page.keyboard.type('book');
  await settle(page);
  await page.screenshot({ path: readmePicture('palette') });
  await context.close();
}

/** Fonts are there, and nothing has been asked for or moved for a moment. A page with a live stream is never quite idle. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate(() => document.fonts.ready);
  await sleep(700);
}
