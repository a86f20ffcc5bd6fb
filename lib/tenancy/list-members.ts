import type { UnitOfWork } from '#lib/kernel/index.ts';
import type { MemberPage, MemberQuery, MemberView } from './contract.ts';
import { type Actor, requirePermission } from './domain/actor.ts';
import type { Member, TenancyStores } from './ports.ts';
import { readCursor, toPage } from './read-cursor.ts';

export const listMembers =
  (deps: { unitOfWork: UnitOfWork<Pick<TenancyStores, 'members'>> }) =>
  async (actor: Actor, query: MemberQuery): Promise<MemberPage> => {
    requirePermission(actor, 'member:read');
    const after = readCursor('user', query.cursor);
    const rows = await deps.unitOfWork.within(actor.scope, ({ members }) =>
      members.list({ after, limit: query.limit + 1, text: query.q || undefined, roleKey: query.role }),
    );
    return toPage(rows, { limit: query.limit, cursorOf: (member) => member.userId, view: toMemberView });
  };

export function toMemberView(member: Member): MemberView {
  return {
    userId: member.userId,
    email: member.email,
    name: member.name,
    role: { id: member.role.id, key: member.role.key, name: member.role.name },
    joinedAt: member.joinedAt.toISOString(),
    disabledAt: member.disabledAt?.toISOString() ?? null,
  };
}
