import { AppError } from '#lib/kernel/index.ts';
import { isPermission, type Permission } from './domain/permission.ts';

/** The permissions without repetition. Throws `invalid_request` naming those that do not exist. */
export function parsePermissions(names: readonly string[]): Permission[] {
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length > 0) {
    throw new AppError({
      code: 'invalid_request',
      message: `There is no permission ${unknown.join(', ')}.`,
      details: { path: 'permissions', unknown },
    });
  }
  return [...new Set(names.filter(isPermission))];
}
