import type { Capability, CapabilityMetadata } from '../domain/capability.ts';
import { agentsDelegateMetadata } from './agents-delegate.ts';
import { createEcho, echoMetadata } from './echo.ts';
import { createKnowledgeSearch, knowledgeSearchMetadata } from './knowledge-search.ts';
import { createMathCalculate, mathCalculateMetadata } from './math-calculate.ts';
import { createMemoryForget, memoryForgetMetadata } from './memory-forget.ts';
import { createMemoryRecall, memoryRecallMetadata } from './memory-recall.ts';
import { createMemoryRemember, memoryRememberMetadata } from './memory-remember.ts';
import type { ExpressionEvaluator, FactMemory, PassageSearch, UnitConverter } from './ports.ts';
import { createTextStatistics, textStatisticsMetadata } from './text-statistics.ts';
import { createTimeConvert, timeConvertMetadata } from './time-convert.ts';
import { createTimeNow, timeNowMetadata } from './time-now.ts';
import { createUnitsConvert, unitsConvertMetadata } from './units-convert.ts';

/** The capabilities every tenant has from the start, as metadata alone. */
export const BUILT_IN_METADATA: readonly CapabilityMetadata[] = [
  timeNowMetadata,
  timeConvertMetadata,
  mathCalculateMetadata,
  unitsConvertMetadata,
  textStatisticsMetadata,
  knowledgeSearchMetadata,
  memoryRememberMetadata,
  memoryRecallMetadata,
  memoryForgetMetadata,
  echoMetadata,
  agentsDelegateMetadata,
];

/** The same with their handlers, to be registered for the platform; but `agents.delegate`, which comes with what drives runs. */
export function createBuiltInCapabilities(dependencies: {
  evaluator: ExpressionEvaluator;
  converter: UnitConverter;
  passages: PassageSearch;
  facts: FactMemory;
}): Capability[] {
  return [
    createTimeNow(),
    createTimeConvert(),
    createMathCalculate(dependencies),
    createUnitsConvert(dependencies),
    createTextStatistics(),
    createKnowledgeSearch(dependencies),
    createMemoryRemember(dependencies),
    createMemoryRecall(dependencies),
    createMemoryForget(dependencies),
    createEcho(),
  ];
}
