import type { TenantStores } from '#db/stores/index.ts';
import type { Clock, UnitOfWork } from '#lib/kernel/index.ts';
import {
  countRuns,
  exportModelUsage,
  type FiguresReader,
  followRun,
  listRuns,
  readFigures,
  revealRun,
  viewInvocation,
  viewModelUsage,
  viewResult,
  viewRun,
  viewRunEvents,
  viewToolUsage,
  viewTrace,
} from '#lib/record/index.ts';
import type { RunFeed, RunReader } from '#lib/supervisor/index.ts';

/** What people and programs may read of runs: everything that leaves the server about them comes through here. */
export function composeRecord(parts: {
  reader: RunReader;
  feed: RunFeed;
  unitOfWork: UnitOfWork<TenantStores>;
  clock: Clock;
  revealLastsMs: number;
  figures: FiguresReader;
}) {
  return {
    readFigures: readFigures.bind(null, parts),
    listRuns: listRuns.bind(null, parts),
    countRuns: countRuns.bind(null, parts),
    getRun: viewRun.bind(null, parts),
    getResult: viewResult.bind(null, parts),
    getTrace: viewTrace.bind(null, parts),
    getInvocation: viewInvocation.bind(null, parts),
    readRunEvents: viewRunEvents.bind(null, parts),
    followRun: followRun.bind(null, parts),
    revealRun: revealRun.bind(null, parts),
    viewModelUsage: viewModelUsage.bind(null, parts),
    exportModelUsage: exportModelUsage.bind(null, parts),
    viewToolUsage: viewToolUsage.bind(null, parts),
  };
}
