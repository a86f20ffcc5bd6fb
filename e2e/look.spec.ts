import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { documentSummaryView } from '#lib/knowledge/contract.ts';
import { mcpServerDetail } from '#lib/mcp/contract.ts';
import { createInvitationResult, resetLinkView } from '#lib/tenancy/contract.ts';
import { upTo } from './event-stream-reader.ts';
import { test as base, expect, signBrowserIn } from './fixtures.ts';
import { createWorkspace, operatorApi, type Workspace } from './workspaces.ts';

interface SeenWorkspace extends Workspace {
  /** Addresses of pages for people who have signed in. */
  readonly pages: readonly string[];
  /** An invitation that serves. */
  readonly invitation: string;
}

const test = base.extend<object, { seen: SeenWorkspace }>({
  seen: [
    async ({ origin }, use) => {
      const workspace = await createWorkspace(origin, 'A workspace with a name that is rather long for a narrow rail');
      const { api, slug } = workspace;
      const session = await api.createSession();
      await api.ask(session.id, 'What time is it in Tokyo and what is 17% of 2,340?');
      await api.ask(
        session.id,
        'echo "| a | b |\n|---|---|\n| 1 | **2** |\n\n```js\nconst veryLong = 1; // 一行很长很长的代码 that does not fit on a phone at all, however one turns it\n```"',
      );
      const { snapshot } = await api.ask(session.id, 'readonly effect "refused"; echo "on"');
      const asking = await api.createSession();
      await api.say(asking.id, 'destructive effect "asked about"');
      const waiting = await api.say(session.id, 'stream chunks: 2000 chunks, 30 ms');
      const document = await api.send('/documents', {
        json: { title: '守则 Rules', language: 'zh-CN', body: '# 守则\n\n- 一\n- 二\n\n> 引文' },
      });
      const documentId = documentSummaryView.parse(document.body).id;
      const person = await workspace.addPerson('member');
      const reset = await workspace.ownerApi.post(`/members/${person.userId}/password-reset`, {}, resetLinkView);
      const invited = await workspace.ownerApi.post('/invitations', { roleKey: 'member' }, createInvitationResult);
      const invitation = new URL(invited.url).pathname;
      const shared = {
        subject: 'tenant',
        measure: 'money',
        currency: 'USD',
        period: 'month',
        softLimit: 80_000_000,
        hardLimit: 100_000_000,
      };
      await api.send('/budgets', { json: shared });
      await api.send('/budgets', { json: { subject: 'session', measure: 'tokens', period: 'total', hardLimit: 200_000 } });
      await api.send('/notifications/webhook', {
        method: 'PUT',
        json: { url: 'https://hooks.example/agents', kinds: ['approval.requested'] },
      });
      const reach = { transport: 'stdio', program: 'everything' };
      const server = await workspace.ownerApi.post('/mcp/servers', { name: 'tools', reach }, mcpServerDetail);
      await use({
        ...workspace,
        invitation,
        pages: [
          `/${slug}/chat`,
          `/${slug}/chat/${session.id}`,
          `/${slug}/runs`,
          `/${slug}/runs?q=nothing+has+these+words`,
          `/${slug}/runs/${snapshot.runId}?view=timeline`,
          `/${slug}/runs/${snapshot.runId}?view=tree`,
          `/${slug}/runs/${snapshot.runId}?view=events`,
          `/${slug}/runs/${snapshot.runId}?view=states`,
          `/${slug}/activity`,
          `/${slug}/activity?kind=exports`,
          `/${slug}/exports`,
          `/${slug}/metrics`,
          `/${slug}/metrics?period=90d`,
          `/${slug}/runs/${snapshot.runId}?view=plan`,
          `/${slug}/knowledge`,
          `/${slug}/knowledge/${documentId}`,
          `/${slug}/knowledge/new`,
          `/${slug}/knowledge/import`,
          `/${slug}/knowledge/terms`,
          `/${slug}/memory`,
          `/${slug}/inbox`,
          `/${slug}/chat/${asking.id}`,
          `/${slug}/marketplace`,
          `/${slug}/marketplace?q=nothing+has+these+words`,
          `/${slug}/marketplace?view=installed`,
          `/${slug}/marketplace?view=requests`,
          `/${slug}/marketplace/QA_SIM`,
          `/${slug}/marketplace/QA_SIM?tab=permissions`,
          `/${slug}/marketplace/QA_SIM?tab=versions`,
          `/${slug}/marketplace/QA_SIM?tab=config`,
          `/${slug}/marketplace/QA_SIM?tab=usage`,
          `/${slug}/settings/general`,
          `/${slug}/settings/notifications`,
          `/${slug}/settings/notifications?state=DEAD`,
          `/${slug}/settings/access`,
          `/${slug}/settings/access?what=tenant%3Adelete`,
          `/${slug}/settings/members`,
          `/${slug}/settings/members?q=nobody+has+this+name`,
          `/${slug}/settings/roles`,
          `/${slug}/settings/sign-in`,
          `/${slug}/settings/models`,
          `/${slug}/settings/budgets`,
          `/${slug}/settings/usage`,
          `/${slug}/settings/usage?by=day&days=7`,
          `/${slug}/settings/mcp`,
          `/${slug}/settings/accounts`,
          `/${slug}/settings/accounts?failed=unknown`,
          `/${slug}/settings/mcp/${server.id}`,
          `/${slug}/settings/approvals`,
          `/${slug}/settings/api-keys`,
          '/account/profile',
          '/account/appearance',
          '/account/shortcuts',
          '/account/sessions',
          new URL(reset.url).pathname,
          invitation,
          // To whoever is no operator.
          '/operator/tenants',
          '/status/deletions',
          `/status/suspended?workspace=${slug}`,
          `/${slug}/nothing-here`,
        ],
      });
      await api.send(`/runs/${waiting.runId}/cancel`, { method: 'POST' });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test.describe.configure({ mode: 'parallel' });
// A picture of every step of hundreds of pages takes longer than looking at them; the problems name their page.
test.use({ trace: 'off' });

const ENTRANCES = [
  '/sign-in',
  '/welcome',
  '/invite/no-such-link',
  '/sign-in?problem=no-workspace',
  '/reset/no-such-link',
  '/nothing-here',
  '/docs/api',
  '/docs/errors',
];

const OPERATOR_PAGES = ['/operator/tenants', '/operator/accounts', '/operator/accounts?q=nobody+has+this+name', '/operator/health'];

interface Look {
  readonly name: string;
  readonly locale: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}
const LOOKS: readonly Look[] = [
  { name: 'English', locale: 'en-US', colorScheme: 'light', width: 1280 },
  { name: 'Chinese', locale: 'zh-CN', colorScheme: 'dark', width: 1280 },
  { name: 'English, on a phone', locale: 'en-US', colorScheme: 'dark', width: 390 },
  { name: 'Chinese, on a narrow phone', locale: 'zh-CN', colorScheme: 'light', width: 320 },
];

for (const look of LOOKS) {
  test(`every page is accessible in both themes, fits, and is quiet: ${look.name}`, async ({ browser, seen, origin, baseURL }) => {
    test.setTimeout(300_000);
    const problems: string[] = [];
    const visit = async (context: BrowserContext, addresses: readonly string[]) => {
      const page = await context.newPage();
      const noted = noteWhatIsWrong(page, baseURL ?? '');
      for (const address of addresses) {
        await page.goto(address);
        await expect(page.locator('h1').first()).toBeVisible();
        await page.evaluate(() => document.fonts.ready);
        problems.push(...(await findViolations(page)).map((violation) => `${address}: ${violation}`));
        // What a page is made of is the same in the other theme; what can be read is not.
        const other = look.colorScheme === 'light' ? 'dark' : 'light';
        await page.emulateMedia({ colorScheme: other });
        await page.evaluate(endTransitions);
        problems.push(...(await findViolations(page, ['color-contrast'])).map((violation) => `${address}, ${other}: ${violation}`));
        await page.emulateMedia({ colorScheme: look.colorScheme });
        const { lang, over } = await page.evaluate(() => ({
          lang: document.documentElement.lang,
          over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        }));
        if (lang !== look.locale.replace('en-US', 'en')) problems.push(`${address}: lang is ${lang}`);
        if (over > 0) problems.push(`${address}: ${over} px too wide`);
        problems.push(...noted.splice(0).map((what) => `${address}: ${what}`));
      }
      await context.close();
    };
    await visit(await openContext(browser, look, baseURL), [...ENTRANCES, seen.invitation]);
    const context = await openContext(browser, look, baseURL);
    await signBrowserIn(context, seen.ownerApi);
    await visit(context, seen.pages);
    const ofOperator = await openContext(browser, look, baseURL);
    await signBrowserIn(ofOperator, operatorApi(origin));
    await visit(ofOperator, OPERATOR_PAGES);
    expect(problems).toEqual([]);
  });
}

test('every page has a policy of its own nonce, which its scripts carry, and no other', async ({ page, openAs, seen }) => {
  await openAs(seen.ownerApi);
  const nonces = new Set<string>();
  for (const address of [...ENTRANCES, ...seen.pages]) {
    const answer = await page.goto(address);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    nonces.add(nonce);
    expect(nonce.length, address).toBeGreaterThan(20);
    expect(policy).toContain("default-src 'self'");
    expect(policy.match(/script-src [^;]*/)?.[0]).not.toContain('unsafe');
    // As they are served: what those then load is trusted through them.
    const scripts = (await answer?.text())?.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(3);
    expect([address, scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))]).toEqual([address, []]);
    expect(answer?.headers()['x-content-type-options']).toBe('nosniff');
    expect(answer?.headers()['referrer-policy']).toBe('same-origin');
  }
  expect(nonces.size).toBe(ENTRANCES.length + seen.pages.length);
});

/** Colours that are on their way from one theme to the other are nobody's to read. */
async function endTransitions(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
}

function openContext(browser: Browser, look: Look, baseURL: string | undefined): Promise<BrowserContext> {
  const { locale, colorScheme, width } = look;
  const phone = width < 500 ? { hasTouch: true, isMobile: true } : {};
  return browser.newContext({ baseURL: baseURL ?? '', locale, colorScheme, viewport: { width, height: 800 }, timezoneId: 'UTC', ...phone });
}

/** Everything that a page should keep still about: errors on the console, what it throws, what it asks of others. */
function noteWhatIsWrong(page: Page, baseURL: string): string[] {
  const noted: string[] = [];
  page.on('console', (message) => {
    // The browser itself reports the status of a page that is not there.
    if (message.type() === 'error' && !message.text().includes('404')) noted.push(`console: ${message.text()}`);
    if (message.type() === 'warning') noted.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => noted.push(`threw: ${error.message}`));
  page.on('request', (request) => {
    if (request.url().startsWith('http') && new URL(request.url()).origin !== baseURL) noted.push(`asked ${request.url()}`);
  });
  return noted;
}

async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary?.split('\n')[1]?.trim() ?? ''}`),
  );
}

test('chat and runs can be used by the keyboard alone', async ({ page, openAs, seen }) => {
  await openAs(seen.ownerApi);
  await page.goto(`/${seen.slug}/chat`);
  const composer = page.getByRole('textbox', { name: 'Message' });
  await expect(composer).toBeFocused();
  await page.keyboard.type('echo "by keyboard"');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/chat\/ses_/);
  await expect(page.getByRole('link', { name: 'See how this ran' })).toBeVisible();
  await expect(composer).toBeFocused();
  // The plan opens and closes where it stands.
  const strip = page.getByRole('button', { name: /^1\/1/ });
  await walkTo(page, strip, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(strip).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Enter');
  await expect(strip).toHaveAttribute('aria-expanded', 'false');
  await walkTo(page, page.getByRole('link', { name: 'See how this ran' }), 'Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/runs\/run_/);

  const call = page.getByRole('list', { name: 'Timeline' }).getByRole('button', { name: /^Echo/ });
  await walkTo(page, call, 'Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/span=/);
  await expect(page.getByRole('region', { name: 'Details of the selection' })).toContainText('by keyboard');
  await walkTo(page, page.getByRole('link', { name: /^Events/ }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/view=events/);

  // The first stop of every page skips to its content.
  await page.goto(`/${seen.slug}/runs`);
  // Before the list is there, its content has nothing to stop at.
  await expect(
    page
      .locator('#content')
      .getByRole('link', { name: /by keyboard/ })
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const isInContent = await page.evaluate(() => document.querySelector('#content')?.contains(document.activeElement));
  expect(isInContent).toBe(true);
});

async function walkTo(page: Page, target: ReturnType<Page['getByRole']>, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (const step of upTo(60)) {
    if (await target.evaluate((node) => node === document.activeElement)) return;
    expect(step).toBeLessThan(60);
    await page.keyboard.press(key);
  }
}
