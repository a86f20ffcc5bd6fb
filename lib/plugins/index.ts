export { CATALOGUE } from './catalogue.ts';

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
export type { PluginHost } from './domain/plugin-host.ts';
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
