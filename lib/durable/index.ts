export type { Claim, Drive, EngineTransaction, Reservation, RunEngine, Segment, SegmentStatus } from './ports.ts';
