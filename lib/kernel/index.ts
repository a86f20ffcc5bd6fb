export { AppError, ERROR_CODES, type ErrorCode, isAppError, messageOf } from './app-error.ts';
export { type Clock, systemClock } from './clock.ts';
export { faultPoint, setFaultHook } from './fault-point.ts';
export { fromUuid, type Id, type IdKind, newId, parseId, toUuid } from './id.ts';
export { canonicalJson, type Json, type JsonObject } from './json.ts';
export { storableJson, storableText } from './storable-text.ts';
export { defineTransitions, type Transitions } from './transitions.ts';
export type { TenantScope, UnitOfWork } from './unit-of-work.ts';
