export type { Drive, EngineTransaction, RunEngine, Segment, SegmentStatus } from './ports.ts';
