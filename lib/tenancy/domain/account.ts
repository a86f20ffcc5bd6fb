import type { Id } from '#lib/kernel/index.ts';

/** A signed-in person outside any tenant: the account pages, the welcome page. Read fresh for each request. */
export interface Account {
  readonly userId: Id<'user'>;
  readonly signInSessionId: Id<'signInSession'>;
  readonly email: string;
  readonly name: string;
  readonly locale: 'en' | 'zh-CN' | null;
  readonly theme: string | null;
  /** IANA name; null: ask the browser. */
  readonly timeZone: string | null;
  /** False for people who sign in elsewhere. */
  readonly hasPassword: boolean;
  readonly isOperator: boolean;
}
