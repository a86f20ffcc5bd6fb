import { expect, type Locator, type Page } from '@playwright/test';
import { upTo } from './event-stream-reader.ts';

/** The chat of a workspace, as its reader uses it. */
export class ChatPage {
  readonly page: Page;
  readonly slug: string;
  readonly composer: Locator;
  readonly list: Locator;
  /** Messages with their answers, oldest first. */
  readonly turns: Locator;

  constructor(page: Page, slug: string) {
    this.page = page;
    this.slug = slug;
    this.composer = page.getByRole('textbox', { name: 'Message' });
    this.list = page.getByRole('complementary', { name: 'Chats' });
    this.turns = page.getByRole('log').getByRole('article');
  }

  /** Opens a chat, or the page on which a new one begins. */
  async open(sessionId = ''): Promise<void> {
    await this.page.goto(`/${this.slug}/chat/${sessionId}`);
    await untilAlive(this.composer);
  }

  /** Writes a message and sends it by Enter. */
  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  /** Sends a message from a page on which a chat begins, and waits until the chat has its address. */
  async begin(text: string): Promise<string> {
    await this.send(text);
    await this.page.waitForURL(/\/chat\/ses_/);
    await untilAlive(this.composer);
    return this.sessionId;
  }

  get sessionId(): string {
    return new URL(this.page.url()).pathname.split('/')[3] ?? '';
  }

  /** Waits until the newest answer stands as it stays. */
  async untilAnswered(): Promise<void> {
    await expect(this.turns.last().getByRole('link', { name: 'See how this ran' })).toBeVisible({ timeout: 15_000 });
  }

  /** A chat's line in the list, by its title. */
  row(title: string): Locator {
    return this.list.getByRole('listitem').filter({ hasText: title });
  }

  async chooseAction(title: string, action: string): Promise<void> {
    await this.row(title)
      .getByRole('button', { name: `Actions for ${title}` })
      .click();
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }
}

/** Waits until the browser has made an element its own: what is clicked before is lost. */
export async function untilAlive(element: Locator): Promise<void> {
  await expect.poll(async () => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps')))).toBe(true);
}

/** What the test capability says for so many chunks, as a page shows it. */
export function shownChunks(count: number): string {
  return upTo(count)
    .map((number) => `chunk-${number}`)
    .join(' ');
}
