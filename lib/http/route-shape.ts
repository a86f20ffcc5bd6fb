import type { Permission } from '#lib/tenancy/index.ts';
import type { AnswerShape, PartSchemas } from './route-parts.ts';
import type { RouteHandler } from './serve.ts';

/** What a method of a route takes and answers, for whoever describes the API. */
export interface RouteShape extends PartSchemas<unknown, unknown, unknown>, AnswerShape {
  /** `tenant`: for members with the permission. `account`: for whoever is signed in. `public`: for everyone. */
  readonly access: 'tenant' | 'account' | 'public';
  readonly permission?: Permission;
}

const shapes = new WeakMap<RouteHandler, RouteShape>();

/** Keeps the definition of a handler with it. */
export function withShape(handler: RouteHandler, shape: RouteShape): RouteHandler {
  shapes.set(handler, shape);
  return handler;
}

/** Null for a handler that was not made from a definition: one that refuses the method, or another library's protocol. */
export function findShape(handler: RouteHandler): RouteShape | null {
  return shapes.get(handler) ?? null;
}
