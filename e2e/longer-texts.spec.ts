import { untilAlive } from './chat-page.ts';
import { expect, test } from './fixtures.ts';

/** How much longer a text may be in another language than in English. */
const GROWTH = 0.4;

for (const width of [1280, 390]) {
  test(`texts may be two fifths longer, and no control leaves a page ${width} px wide`, async ({ page, openAs, workspace }) => {
    await openAs(workspace.ownerApi);
    await page.setViewportSize({ width, height: 800 });
    const session = await workspace.api.createSession();
    const { snapshot } = await workspace.api.ask(session.id, 'echo "one"; echo "two"');
    const { slug } = workspace;
    const problems: string[] = [];
    for (const address of [
      '/sign-in',
      '/account/profile',
      '/account/shortcuts',
      ...['chat', `chat/${session.id}`, 'runs', `runs/${snapshot.runId}`, 'knowledge', 'memory'].map((path) => `/${slug}/${path}`),
      ...['members', 'roles', 'api-keys', 'models', 'mcp'].map((section) => `/${slug}/settings/${section}`),
    ]) {
      await page.goto(address);
      // What React takes over must still be as the server wrote it.
      await untilAlive(page.locator('h1').first());
      await page.waitForTimeout(500);
      problems.push(...(await page.evaluate(growTexts, GROWTH)).map((problem) => `${address}: ${problem}`));
    }
    expect(problems).toEqual([]);
  });
}

/** Runs in the page: lengthens every text, then names what does not fit any more. */
function growTexts(growth: number): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? '';
    if (!/\p{L}{2}/u.test(text) || node.parentElement?.closest('script,style,code,textarea,.sr-only')) continue;
    node.nodeValue = `${text} ${text.slice(0, Math.ceil(text.length * growth))}`;
  }
  const page = document.documentElement;
  const problems = page.scrollWidth > page.clientWidth ? [`${page.scrollWidth - page.clientWidth} px too wide`] : [];
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/(?:auto|scroll)/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  for (const control of document.querySelectorAll('button,a,input,select,textarea,summary')) {
    const { left, right, width } = control.getBoundingClientRect();
    if (width < 2 || control.closest('.sr-only') || scrolls(control.parentElement)) continue;
    if (left < -1 || right > page.clientWidth + 1)
      problems.push(`outside: ${control.textContent.slice(0, 40) || control.outerHTML.slice(0, 60)}`);
  }
  return problems;
}
