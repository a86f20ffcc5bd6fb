export { type AssembledContext, assembleContext } from './assemble-context.ts';
export { createDocumentsContributor } from './documents-contributor.ts';
export { type AssembledFragment, type ContextFragment, hasOutsideContent } from './domain/fragment.ts';
export { createHistoryContributor, type RememberedConversation, type RememberedTurn } from './history-contributor.ts';
export { createOntologyContributor } from './ontology-contributor.ts';
export type { ContextContributor, ContextRequest } from './ports.ts';
