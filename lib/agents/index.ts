export { type AgentDefinition, type AgentLimits, SUPERVISOR_ID } from './domain/agent.ts';
export { exposeNames } from './domain/exposed-name.ts';
export { PLATFORM_SUPERVISOR, SPECIALISTS, SUMMARISER } from './domain/platform-agents.ts';
export type {
  AgentTool,
  AgentVoice,
  CallAllowance,
  CallBudget,
  ContextUse,
  ModelCall,
  ModelCallRecords,
  ModelResponse,
  PromptKeeper,
  ToolOutcome,
} from './ports.ts';
export { type AgentAnswer, type AgentTurn, runAgent } from './react-agent.ts';
