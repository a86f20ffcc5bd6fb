export { createChecker } from './check-server.ts';
export { beginSignIn, type ConnectAccount, disconnectAccount, finishSignIn, listAccounts } from './connect-account.ts';
export { McpConnections } from './connections.ts';
export type { McpAccount } from './domain/account.ts';
export type { HandshakeStep, McpAuth, McpCheck, McpReach, McpServer, McpState } from './domain/server.ts';
export type { McpTool, ToolDefinition, ToolProblem } from './domain/tool.ts';
export type { ToolChange, ToolDiff } from './domain/tool-sync.ts';
export {
  createServer,
  deleteServer,
  getServer,
  listServers,
  type ManageServers,
  reconnectServer,
  updateServer,
} from './manage-servers.ts';
export { updateTool } from './manage-tools.ts';
export { createMcpCapabilitySource } from './mcp-capability-source.ts';
export type {
  DueServers,
  McpAccountStore,
  McpChangeFeed,
  McpConnection,
  McpConnector,
  McpServerStore,
  McpTarget,
  ServedTool,
  ServedToolReader,
  StdioProgram,
} from './ports.ts';
export { type ServeCapabilities, serveCapabilities } from './serve-capabilities.ts';
export { tryTool } from './try-tool.ts';
