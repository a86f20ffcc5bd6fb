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
export type {
  CallFigures,
  DocumentFigures,
  FiguresQuery,
  MemberFigures,
  RunFigures,
  Share,
  TenantFigures,
  UsageFigures,
} from './domain/tenant-figures.ts';
