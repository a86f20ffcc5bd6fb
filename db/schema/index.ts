export * from './audit.ts';
export * from './conversations.ts';
export * from './knowledge.ts';
export * from './runs.ts';
export * from './tenants.ts';
