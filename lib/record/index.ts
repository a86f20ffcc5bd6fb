export type { ExportState } from './domain/export-states.ts';
export { exportTransitions } from './domain/export-states.ts';
export { SPAN_EVENTS, spansOf } from './domain/run-spans.ts';
export { cancelExport, createExport, downloadExport, getExport, listExports } from './manage-exports.ts';
export type {
  ExportDependencies,
  ExportPiece,
  ExportQueue,
  ExportStore,
  FiguresReader,
  RecordStores,
  Reveal,
  RevealStore,
  RunExport,
  UsageReader,
  ViewDependencies,
} from './ports.ts';
export { readFigures } from './read-figures.ts';
export { revealRun } from './reveal-run.ts';
export { countRuns, followRun, listRuns, viewInvocation, viewResult, viewRun, viewRunEvents, viewTrace } from './view-runs.ts';
export { exportModelUsage, viewModelUsage, viewToolUsage } from './view-usage.ts';
export { writeExport } from './write-export.ts';
