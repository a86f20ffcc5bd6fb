export { beginOperation } from './begin-operation.ts';
export { CATALOGUE } from './catalogue.ts';
export { configurePlugin, rollBackSettings, switchPlugin } from './change-plugin.ts';
export { indexCatalogue } from './domain/catalogue-index.ts';
export { definePlugin } from './domain/define-plugin.ts';
export type { PluginInstall } from './domain/installation.ts';
export type {
  PluginCapability,
  PluginDocument,
  PluginIcon,
  PluginKind,
  PluginManifest,
  PluginPermission,
  PluginPreset,
  PluginRelease,
} from './domain/manifest.ts';
export type { PluginOperation, PluginSettings } from './domain/operation.ts';
export type { PluginHost } from './domain/plugin-host.ts';
export { createPluginSearch } from './domain/plugin-search.ts';
export {
  type CallFigures,
  callFigures,
  type DocumentFigures,
  documentFigures,
  type FiguresQuery,
  type MemberFigures,
  memberFigures,
  type RunFigures,
  runFigures,
  type Share,
  type TenantFigures,
  type UsageFigures,
  usageFigures,
} from './domain/tenant-figures.ts';
export { HEARTBEAT_MS } from './drive-operation.ts';
export { getPlugin, getPluginOperation } from './get-plugin.ts';
export { listPlugins } from './list-plugins.ts';
export { decidePluginRequest, listPluginRequests, requestPlugin } from './plugin-requests.ts';
export type {
  InstallStore,
  OperationStore,
  PluginRequest,
  PluginRequestStore,
  PluginUsageStore,
  QuietOperationReader,
  SettingsSnapshot,
  SnapshotStore,
} from './ports.ts';
export { reconcileOperations } from './reconcile-operations.ts';
export { openSettings } from './settings.ts';
export { uninstallPlugin } from './uninstall-plugin.ts';
