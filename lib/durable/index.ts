export type { Claim, Drive, EngineTransaction, Line, Reservation, RunEngine, Segment, SegmentStatus } from './ports.ts';
