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
