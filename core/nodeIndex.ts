/** `agent-stack/node`: the core's ports for Node, and ready-made projects. */

export {
  type DbosEngine,
  type DbosEngineOptions,
  type DbosOrchestrateRequest,
  type DbosResumeOptions,
  type DbosWorkerOptions,
  openDbosEngine,
  type Worker,
} from './dbos/dbosEngine.js';
export { findProject } from './node/findProject.js';
export { createNodeFetch } from './node/nodeFetch.js';
export { createNodeFiles } from './node/nodeFiles.js';
export { createEnvironmentSecrets, createNodePorts } from './node/nodePorts.js';
export { type MeterLike, type ObserveWithTracerOptions, observeWithTracer, type TracerLike } from './node/observeWithTracer.js';
export { createRunKeeping, type OpenProjectOptions, openProject } from './node/openProject.js';
export * from './project/agentTypes.js';
export type {
  AgentRequest,
  AgentRunOptions,
  LoadedAgentRunRequest,
  LoadOptions,
  NamedAgentRunRequest,
  OrchestrationRequest,
  OrchestrationRunOptions,
  Project,
  ProjectOrchestrateRequest,
  ProjectResumeOptions,
  ProjectRunRequest,
} from './project/types.js';
export type { AllowedTools } from './tools/allowedTools.js';
export { defineTool, type ToolOptions } from './tools/registry.js';
