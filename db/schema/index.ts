export * from './accounts.ts';
export * from './audit.ts';
export * from './conversations.ts';
export * from './invitations.ts';
export * from './knowledge.ts';
export * from './models.ts';
export * from './runs.ts';
export * from './tenants.ts';
