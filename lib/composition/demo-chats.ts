import { z } from 'zod';
import type { TenantStores } from '#db/stores/index.ts';
import type { SessionView } from '#lib/conversations/contract.ts';
import { type Id, parseId, type UnitOfWork } from '#lib/kernel/index.ts';
import type { Actor, Permission } from '#lib/tenancy/index.ts';

type DemoLocale = 'en' | 'zh-CN';

const SETTING = 'demo-chats';
/** Two parts each: one that the handbook of the demo answers, one that is reckoned. */
const QUESTIONS: Readonly<Record<DemoLocale, string>> = {
  en: 'What is the fine for returning a book late, and how many miles are 42 km?',
  'zh-CN': '图书逾期归还怎么收费，42 公里等于多少英里？',
};
const REQUIRED = ['conversation:read', 'conversation:write', 'run:read'] as const satisfies readonly Permission[];

const setting = z.object({ en: z.string(), 'zh-CN': z.string() });

interface Parts {
  unitOfWork: UnitOfWork<TenantStores>;
  findDemoOwner: () => Promise<{ tenantId: Id<'tenant'>; userId: Id<'user'> } | null>;
  actorOfRun: (run: { tenantId: Id<'tenant'>; userId: Id<'user'>; apiKeyId: null }) => Promise<Actor>;
  createSession: (actor: Actor, request: { preset: string }) => Promise<SessionView>;
  submitMessage: (
    actor: Actor,
    request: { sessionId: Id<'session'>; text: string; locale: DemoLocale; idempotencyKey: string },
  ) => Promise<unknown>;
}

/** The chats that a new person finds in the demo: asked by its owner and answered by the engine like any other. */
export function composeDemoChats({ unitOfWork, findDemoOwner, actorOfRun, createSession, submitMessage }: Parts) {
  const find = async (actor: Actor) => {
    const found = await unitOfWork.within(actor.scope, ({ settings }) => settings.find(SETTING));
    return setting.safeParse(found).data ?? null;
  };
  return {
    /** Asks one question in each language, the first time there is a demo. What people make of those chats is left alone. */
    beginDemoChats: async (): Promise<void> => {
      const owner = await findDemoOwner();
      if (!owner) return;
      const actor = await actorOfRun({ ...owner, apiKeyId: null });
      if (REQUIRED.some((permission) => !actor.permissions.has(permission)) || (await find(actor))) return;
      const begin = async (locale: DemoLocale) => {
        const { id } = await createSession(actor, { preset: 'default' });
        const sessionId = parseId('session', id);
        if (!sessionId) throw new Error(`${id} is no session`);
        await submitMessage(actor, { sessionId, text: QUESTIONS[locale], locale, idempotencyKey: `${SETTING}-${locale}` });
        return id;
      };
      const chats = { 'zh-CN': await begin('zh-CN'), en: await begin('en') };
      await unitOfWork.within(actor.scope, ({ settings }) => settings.put(SETTING, chats));
    },
    /** The chat to open the demo on: in the reader's language, while it is there and theirs; else null. */
    findDemoChat: async (actor: Actor, locale: DemoLocale): Promise<string | null> => {
      const id = parseId('session', (await find(actor))?.[locale] ?? '');
      const session = id && (await unitOfWork.within(actor.scope, ({ sessions }) => sessions.find(id)));
      return session && session.ownerId === actor.scope.userId && !session.isArchived ? session.id : null;
    },
  };
}
