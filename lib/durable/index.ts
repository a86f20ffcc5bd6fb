export type { Claim, Drive, EngineTransaction, RunEngine, Segment, SegmentStatus } from './ports.ts';
