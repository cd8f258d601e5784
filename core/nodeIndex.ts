/** `agent-stack/node`: the core's ports for Node, and a project with everything assembled. */

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
export {
  type AgentRequest,
  type LoadedAgentRunRequest,
  type LoadOptions,
  type NamedAgentRunRequest,
  type OpenProjectOptions,
  type OrchestrationRequest,
  openProject,
  type Project,
  type ProjectOrchestrateRequest,
  type ProjectRunRequest,
} from './node/openProject.js';
export * from './node/projectAgents.js';
export type { AgentRunOptions, OrchestrationRunOptions, ProjectResumeOptions } from './node/projectRuns.js';
export { createRunKeeping } from './node/runKeeping.js';
export type { AllowedTools } from './tools/allowedTools.js';
