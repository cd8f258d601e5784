/** `agent-stack/node`: the core's ports for Node, and a project with everything assembled. */
export type { AllowedTools } from '../tools/allowedTools.js';
export {
  type DbosEngine,
  type DbosEngineOptions,
  type DbosOrchestrateRequest,
  type DbosResumeOptions,
  type DbosWorkerOptions,
  openDbosEngine,
  type Worker,
} from './dbos/dbosEngine.js';
export { findProject } from './findProject.js';
export { createNodeFetch } from './nodeFetch.js';
export { createNodeFiles } from './nodeFiles.js';
export { createEnvironmentSecrets, createNodePorts } from './nodePorts.js';
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
} from './openProject.js';
export * from './projectAgents.js';
export type { AgentRunOptions, OrchestrationRunOptions, ProjectResumeOptions } from './projectRuns.js';
export { createRunKeeping } from './runKeeping.js';
export { type MeterLike, type ObserveWithTracerOptions, observeWithTracer, type TracerLike } from './telemetry/observeWithTracer.js';
