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
  readonly displayName: string;
  readonly email: string;
  readonly roleKey: string;
  readonly roleName: string;
  readonly permissions: ReadonlySet<Permission>;
}

export function hasPermission(actor: Actor, permission: Permission): boolean {
  return actor.permissions.has(permission);
}

/** Throws `permission_denied` naming the permission, so that a person can ask for it. */
export function requirePermission(actor: Actor, permission: Permission): void {
  if (hasPermission(actor, permission)) return;
  throw new AppError({
    code: 'permission_denied',
    message: `This needs the permission ${permission}, which the role ${actor.roleName} does not have.`,
    details: { permission, role: actor.roleKey },
  });
}
