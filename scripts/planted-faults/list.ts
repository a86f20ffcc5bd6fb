import { ACCOUNT_GUARDS } from './account-guards.ts';
import { BUDGET_GUARDS } from './budget-guards.ts';
import { CAPABILITY_GUARDS } from './capability-guards.ts';
import { CONVERSATION_GUARDS } from './conversation-guards.ts';
import type { Guard } from './guard.ts';
import { KNOWLEDGE_GUARDS } from './knowledge-guards.ts';
import { LOAD_GUARDS } from './load-guards.ts';
import { MCP_GUARDS } from './mcp-guards.ts';
import { MODEL_GUARDS } from './model-guards.ts';
import { NOTIFICATION_GUARDS } from './notification-guards.ts';
import { OAUTH_GUARDS } from './oauth-guards.ts';
import { PEOPLE_GUARDS } from './people-guards.ts';
import { PIPELINE_GUARDS } from './pipeline-guards.ts';
import { PLUGIN_GUARDS } from './plugin-guards.ts';
import { RECORD_GUARDS } from './record-guards.ts';
import { RUN_GUARDS } from './run-guards.ts';
import { SEEING_GUARDS } from './seeing-guards.ts';
import { TENANCY_GUARDS } from './tenancy-guards.ts';
import { VIEWING_GUARDS } from './viewing-guards.ts';

/**
 * The guards that hold the product's promises. Add one beside each new check: what stands there, what it is replaced with
 * so that the check is gone, and the tests that must notice.
 */
export const GUARDS: readonly Guard[] = [
  {
    id: 'state-table',
    guards: 'A thing moves only as its state table says.',
    file: 'lib/kernel/transitions.ts',
    find: 'if (!table[from].includes(to)) throw new IllegalTransition(thing, from, to);',
    replace: '',
    tests: ['lib/kernel/transitions.test.ts'],
  },
  ...BUDGET_GUARDS,
  ...CAPABILITY_GUARDS,
  ...CONVERSATION_GUARDS,
  ...RUN_GUARDS,
  ...KNOWLEDGE_GUARDS,
  ...LOAD_GUARDS,
  ...MCP_GUARDS,
  ...MODEL_GUARDS,
  ...NOTIFICATION_GUARDS,
  ...OAUTH_GUARDS,
  ...PIPELINE_GUARDS,
  ...PLUGIN_GUARDS,
  ...RECORD_GUARDS,
  ...SEEING_GUARDS,
  ...TENANCY_GUARDS,
  ...ACCOUNT_GUARDS,
  ...PEOPLE_GUARDS,
  ...VIEWING_GUARDS,
];
