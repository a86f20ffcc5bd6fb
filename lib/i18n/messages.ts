import type { Locale } from './locale.ts';
import type enAccount from './messages/en/account.json';
import type enActivity from './messages/en/activity.json';
import type enApprovals from './messages/en/approvals.json';
import type enAuth from './messages/en/auth.json';
import type enBudgets from './messages/en/budgets.json';
import type enChat from './messages/en/chat.json';
import type enDocs from './messages/en/docs.json';
import type enExports from './messages/en/exports.json';
import type enInvite from './messages/en/invite.json';
import type enKeyboard from './messages/en/keyboard.json';
import type enKnowledge from './messages/en/knowledge.json';
import type enMarketplace from './messages/en/marketplace.json';
import type enMcp from './messages/en/mcp.json';
import type enMemory from './messages/en/memory.json';
import type enMetrics from './messages/en/metrics.json';
import type enModels from './messages/en/models.json';
import type enNotifications from './messages/en/notifications.json';
import type enOperator from './messages/en/operator.json';
import type enPalette from './messages/en/palette.json';
import type enPeople from './messages/en/people.json';
import type enPrograms from './messages/en/programs.json';
import type enRuns from './messages/en/runs.json';
import type enShell from './messages/en/shell.json';
import type enStates from './messages/en/states.json';
import type enUi from './messages/en/ui.json';
import type enUsage from './messages/en/usage.json';
import type enWelcome from './messages/en/welcome.json';

/** Every area of the interface that has messages, one file a language. */
export const MESSAGE_AREAS = [
  'account',
  'activity',
  'approvals',
  'auth',
  'budgets',
  'chat',
  'docs',
  'invite',
  'keyboard',
  'exports',
  'knowledge',
  'marketplace',
  'mcp',
  'memory',
  'metrics',
  'models',
  'notifications',
  'operator',
  'palette',
  'programs',
  'people',
  'runs',
  'shell',
  'states',
  'ui',
  'usage',
  'welcome',
] as const;
export type MessageArea = (typeof MESSAGE_AREAS)[number];

/** The shape of all messages; English is the one that types are taken from. */
export interface Messages {
  account: typeof enAccount;
  activity: typeof enActivity;
  approvals: typeof enApprovals;
  auth: typeof enAuth;
  budgets: typeof enBudgets;
  chat: typeof enChat;
  docs: typeof enDocs;
  invite: typeof enInvite;
  keyboard: typeof enKeyboard;
  exports: typeof enExports;
  knowledge: typeof enKnowledge;
  marketplace: typeof enMarketplace;
  mcp: typeof enMcp;
  memory: typeof enMemory;
  metrics: typeof enMetrics;
  models: typeof enModels;
  notifications: typeof enNotifications;
  operator: typeof enOperator;
  palette: typeof enPalette;
  programs: typeof enPrograms;
  people: typeof enPeople;
  runs: typeof enRuns;
  shell: typeof enShell;
  states: typeof enStates;
  ui: typeof enUi;
  usage: typeof enUsage;
  welcome: typeof enWelcome;
}

declare module 'next-intl' {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}

/** The messages that a part of the page needs, so that a browser is sent no others. */
export function pickMessages<const Area extends MessageArea>(messages: Messages, areas: readonly Area[]): Pick<Messages, Area> {
  return Object.fromEntries(areas.map((area) => [area, messages[area]])) as unknown as Pick<Messages, Area>;
}
