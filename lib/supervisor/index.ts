export { type ApprovalRuleDependencies, listApprovalGrants, revokeApprovalGrant } from './approval-grants.ts';
export { awaitResult } from './await-result.ts';
export { BegunRuns } from './begun-runs.ts';
export {
  type ApprovalGrantView,
  type ApprovalView,
  type InboxView,
  type InvocationView,
  type RunEventType,
  type RunEventView,
  type RunFacets,
  type RunListQuery,
  type RunPage,
  type RunSummaryView,
  type RunView,
  runState,
  type SupervisorResult,
} from './contract.ts';
export { answerQuestion, type ControlDependencies, cancelRun, getRun, retryRun } from './control-run.ts';
export { type DecideDependencies, decideApproval, expireApprovals } from './decide-approval.ts';
export { type Boundary, isEventsOnly, mergeBoundaries, type PricedModelCall, type RunEventEntry } from './domain/boundary.ts';
export { executionPlan } from './domain/execution-plan.ts';
export type { ExecutionPlan } from './domain/plan.ts';
export { type PlanRequest, planRequest } from './domain/planner.ts';
export { isTerminal, type Question, type Run } from './domain/run.ts';
export { createDrive, type DriveDependencies } from './drive-run.ts';
export { createMessageRoom } from './message-room.ts';
export type {
  ActorSource,
  ApprovalDecision,
  ApprovalGate,
  ApprovalGrantStore,
  ApprovalReader,
  CancelFeed,
  CommittedWrite,
  DueApprovalReader,
  EnqueueInTransaction,
  EnqueueTask,
  LeftTaskReader,
  NewRun,
  OntologySource,
  PresetBinding,
  RunEventBatch,
  RunFeed,
  RunGate,
  RunJournal,
  RunKey,
  RunObserver,
  RunReader,
  RunRecords,
  SessionMove,
  SubmitOutcome,
  Task,
  TaskGate,
  TaskOwner,
} from './ports.ts';
export { PROMPT_HEAD_READ } from './ports.ts';
export { readInbox } from './read-inbox.ts';
export { readQueuePlace } from './read-queue-place.ts';
export { type OpenRunReader, reconcileRuns } from './reconcile-runs.ts';
export type { ConsentRuleSource } from './run-consent.ts';
export { afterRun, createTaskRunner, goOnAfterTasks, reconcileTasks } from './run-tasks.ts';
export { type SubmitDependencies, type SubmitResult, submitMessage } from './submit-message.ts';
export { type RunOutcome, toSupervisorResult } from './supervisor-result.ts';
export { ReadingTurns, tailRun } from './tail-run.ts';
