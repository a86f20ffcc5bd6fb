import { AppError, type Id, type TenantScope } from '#lib/kernel/index.ts';
import type { Permission } from './permission.ts';

/**
 * Who acts in a tenant, with rights read fresh for this request or run. Every use case demands one: there is no
 * ambient "current user".
 */
export interface Actor {
  /** How the person came in; an API key acts for the person who made it, within the key's scopes. */
  readonly kind: 'user' | 'api-key';
  readonly scope: TenantScope & { readonly userId: Id<'user'> };
  readonly apiKeyId?: Id<'apiKey'>;
  /** Absent for an API key, and for work that goes on without a request. */
  readonly signInSessionId?: Id<'signInSession'>;
  /** Set while the person looks as another role does; the role and the permissions are then those of that role, or fewer. */
  readonly ownRole?: { readonly key: string; readonly name: string };
  readonly displayName: string;
  readonly email: string;
  readonly roleKey: string;
  readonly roleName: string;
  readonly permissions: ReadonlySet<Permission>;
  /** null: the person leaves it to the browser. */
  readonly locale: 'en' | 'zh-CN' | null;
  /** IANA name: the person's zone, else the tenant's. */
  readonly timeZone: string;
}

export function hasPermission(actor: Actor, permission: Permission): boolean {
  return actor.permissions.has(permission);
}

/** Throws `permission_denied` naming the permission, so that a person can ask for it. */
export function requirePermission(actor: Actor, permission: Permission): void {
  if (hasPermission(actor, permission)) return;
  const lacking = actor.kind === 'api-key' ? 'this API key' : `the role ${actor.roleName}`;
  throw new AppError({
    code: 'permission_denied',
    message: `This needs the permission ${permission}, which ${lacking} does not have.`,
    details: { permission, role: actor.roleKey },
  });
}

/**
 * Throws `rights_exceeded` when one of `permissions` is not the actor's own: nobody hands on, or takes from others, rights
 * above their own.
 */
export function requireOwnRights(actor: Actor, permissions: readonly string[]): void {
  const exceeding = permissions.filter((permission) => !(actor.permissions as ReadonlySet<string>).has(permission));
  if (exceeding.length === 0) return;
  throw new AppError({
    code: 'rights_exceeded',
    message: `This concerns rights above your own: ${exceeding.join(', ')}.`,
    details: { permissions: exceeding },
  });
}

/** How the audit log names an actor: a key is named itself, the person behind it is on the key. */
export function auditedAs(actor: Actor): { readonly kind: 'user' | 'api-key'; readonly id: string } {
  return actor.apiKeyId ? { kind: 'api-key', id: actor.apiKeyId } : { kind: 'user', id: actor.scope.userId };
}

/**
 * The person as somebody with this role would be: never with rights above their own, and able to change nothing (see
 * `requireOwnRole`). Who may not manage roles looks as themselves.
 */
export function viewedAs(
  actor: Actor,
  role: { readonly key: string; readonly name: string; readonly permissions: readonly string[] },
): Actor {
  if (!hasPermission(actor, 'role:manage')) return actor;
  return {
    ...actor,
    roleKey: role.key,
    roleName: role.name,
    permissions: new Set([...actor.permissions].filter((permission) => role.permissions.includes(permission))),
    ownRole: { key: actor.roleKey, name: actor.roleName },
  };
}

/** Throws `viewing_role` while the person looks as another role does: what is looked at so is not changed. */
export function requireOwnRole(actor: Actor): void {
  if (!actor.ownRole) return;
  throw new AppError({
    code: 'viewing_role',
    message: `You are looking as ${actor.roleName}: nothing can be changed until you end that.`,
    details: { role: actor.roleKey },
  });
}
