export {
  type CompletedStage,
  definePipeline,
  type Pipeline,
  type PipelineCall,
  type PipelineCallResult,
  type PipelineHost,
  type Stage,
  type StageContext,
  type StageReport,
} from './pipeline.ts';
export {
  type Channels,
  type CompiledGraph,
  END,
  type Merge,
  type Node,
  type NodeContext,
  type NodeRecords,
  START,
  StateGraph,
} from './state-graph.ts';
