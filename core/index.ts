/** `agent-stack/core`: the engine without Node; pass your own ports. `agent-stack/node` has the ports of Node and opens a project. */

export type { AgentEvent, ContentBlock, ConversationMessage, ResultMetadata, RunContext, RunError, RunResult } from './agent/events.js';
export type { Change as StopChange, Gate, Stop } from './agent/gate.js';
export { type AgentFactory, type AgentFactoryOptions, createAgentFactory } from './agent/load/agentFactory.js';
export { agentsOfSnapshot, type SnapshotAgentOptions } from './agent/load/agentsOfSnapshot.js';
export { connect } from './agent/modelCall.js';
export {
  type ModelCallWatch,
  type ObservedRun,
  observeRun,
  type RunObserver,
  type RunWatch,
  type ToolCallWatch,
} from './agent/observeRun.js';
export { invokeAgent, resultOf, runAgent } from './agent/runAgent.js';
export { SharedBudget, type Spending } from './agent/sharedBudget.js';
export type { Agent, ConnectAgent, ResumedRun, RunRequest, RunStore, SessionMessage, SessionStore } from './agent/types.js';
export { type CheckProjectOptions, type CheckReport, checkProject } from './check/checkProject.js';
export { loadProjectIndex } from './config/loadProjectIndex.js';
export type { ProjectIndex } from './config/projectIndex.js';
export type { AskUnfinished, DurableSteps, StepOptions, UnfinishedAnswer, UnfinishedStep } from './durable.js';
export {
  AgentPromptValidationError,
  AgentStackError,
  BudgetExceededError,
  CancelledError,
  ConfigInvalidError,
  ConfigSyntaxError,
  DeniedError,
  type ErrorCode,
  InputInvalidError,
  type Issue,
  LlmError,
  type LlmFailureReason,
  MaxIterationsError,
  NoRouteError,
  ParseError,
  PlanStepError,
  RecursionLimitError,
  ReplayMismatchError,
  ResumeError,
  RunTimeoutError,
  SecretMissingError,
  StepSkippedError,
  StorageError,
  ToolExecutionError,
  UnfinishedStepError,
  UnknownAgentConfigError,
  UnknownOrchestrationError,
} from './errors.js';
export type { Finding, PlacedFinding, Severity } from './finding.js';
export type { Json, JsonObject } from './json.js';
export { createLlmClient } from './llm/callDefaults.js';
export { createModelTable, type ModelFacts, type ModelPrice, type ModelTable } from './llm/modelTable.js';
export type { LlmProvider, ProviderFacts, ProviderPorts } from './llm/providers/provider.js';
export type {
  AssistantBlock,
  Completion,
  LlmClient,
  LlmRequest,
  LlmSettings,
  Message,
  ProviderCompletion,
  ProviderConnection,
  ProviderPart,
  ResponseFormat,
  StreamPart,
  TokenUsage,
  ToolDefinition,
  UserBlock,
} from './llm/types.js';
export { type Clock, type Environment, FileProblem, type FileSystem, type Logger, type Ports, type Random, type Secrets } from './ports.js';
export { type AgentPrompt, createAgentPrompt } from './prompt/agentPrompt.js';
export { createPartialAnswer } from './prompt/partialAnswer.js';
export { checkPayload } from './prompt/payloadCheck.js';
export { evaluateTemplates } from './prompt/template.js';
export type { ComposedPrompt, ParsedOutput, Repair, SourceSpan } from './prompt/types.js';
export { chooseRoute, type Route } from './routing/chooseRoute.js';
export { evaluateCondition, type RoutingScope, usesPatterns } from './routing/evaluateCondition.js';
export { loadPatterns } from './routing/patterns.js';
export { proveRouting, type RoutingProof } from './routing/prover/proveRouting.js';
export { createTeamGraph, findCycles, findUnreachable } from './routing/teamGraph.js';
export type { Rule } from './rules/rule.js';
export { createDurableRun, type DurableRun, type NewRunOptions, type RunKeeping, resumeDurableRun } from './run/durableRun.js';
export { createJournal, type Journal, type JournalOptions, type RunJournal } from './run/journal/journal.js';
export type { JournalFile, JournalFiles } from './run/journal/journalFiles.js';
export { createJournalSteps, type JournalStepsOptions } from './run/journal/journalSteps.js';
export { type KeptStep, type KeptSteps, readJournals } from './run/journal/readJournal.js';
export type { OpenRun } from './run/openRun.js';
export { parseRecording, type RunRecording } from './run/readRecording.js';
export { type Recording, type RecordWriter, type RunConnections, recordRun } from './run/recording.js';
export { type ReplayOptions, replayRun } from './run/replay.js';
export { createRunStore } from './run/runFolder.js';
export type { HeldLock, RunLock, RunLocks } from './run/runLocks.js';
export { createSessionStore } from './run/sessionStore.js';
export { readTraceparent, type TraceContext } from './runContext.js';
export type { CompiledSchema, SchemaCompiler } from './schema/schemaCompiler.js';
export { loadSchemaCompiler } from './schema/schemaCompiler.js';
export { createSnapshot, type Snapshot, type SnapshotSubject } from './snapshot/createSnapshot.js';
export type { EffectiveAgent, EffectiveLlm, Layer, Origin } from './snapshot/effective.js';
export { lookupSetting } from './snapshot/lookupSetting.js';
export { resolveAgent } from './snapshot/resolveAgent.js';
export { type ResolvedOrchestration, resolveOrchestration } from './snapshot/resolveOrchestration.js';
export { type DiffCause, type DiffGroup, type DiffSide, type LeafChange, snapshotDiff } from './snapshot/snapshotDiff.js';
export { readOrigins } from './snapshot/snapshotOrigins.js';
export type { FrozenOrchestration, FrozenTask, FrozenTeam, SnapshotValue } from './snapshot/snapshotValue.js';
export type { CallOverrides, ResolvedAgent } from './snapshot/types.js';
export { verifySnapshot } from './snapshot/verifySnapshot.js';
export { createRunTask, type RunTaskOptions } from './team/createRunTask.js';
export { createOrchestrationFactory, type OrchestrationFactory, type OrchestrationFactoryOptions } from './team/orchestrationFactory.js';
export { runOrchestration } from './team/runOrchestration.js';
export type { Orchestration, OrchestrationRequest, OrchestrationStore, RunTask, TaskCall } from './team/types.js';
export { createBuiltInTools } from './tools/builtIn/index.js';
export type { AnswerServer, QuestionField, ServerQuestion } from './tools/mcp/serverQuestion.js';
export { createOpenTools, type OpenToolsOptions, type TrustedTools } from './tools/openTools.js';
export { createToolRegistry, defineTool, type ToolOptions, type ToolRegistry } from './tools/registry.js';
export type { StandardSchema } from './tools/standardSchema.js';
export type {
  ApproveTool,
  OpenTools,
  SourceDocument,
  Tool,
  ToolContext,
  ToolHints,
  ToolOutcome,
  ToolRequest,
  ToolSet,
} from './tools/types.js';
