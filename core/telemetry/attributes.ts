import type { Attributes } from '@opentelemetry/api';
import type { ObservedOrchestration, ObservedRun } from '../agent/observeRun.js';
import { AgentStackError, LlmError } from '../errors.js';
import { findProviderFacts } from '../llm/providers/providerFacts.js';
import type { Completion, FinishReason, LlmRequest } from '../llm/types.js';
import type { Tool } from '../tools/types.js';

// Names as in the GenAI semantic conventions v0.1.0 (repository open-telemetry/semantic-conventions-genai, status Development, read 2026-11-27).
// Attributes without a name there begin with `agent_stack.`; docs/observability.md lists both.

/** Of the conventions above; says to a collector which names it gets. */
export const schemaUrl = 'https://opentelemetry.io/schemas/gen-ai/0.1.0';

/** The common attributes of a run's spans and metrics. */
export function commonAttributes({ agent }: ObservedRun): Attributes {
  const { config, llm } = agent.resolved;
  return {
    'gen_ai.provider.name': findProviderFacts(llm.provider)?.telemetryName ?? llm.provider,
    ...(config.model_name !== undefined && { 'gen_ai.request.model': config.model_name }),
    ...serverAttributes(llm.base_url),
  };
}

export function agentAttributes({ agent }: ObservedRun): Attributes {
  const { agent_name, version } = agent.resolved.config;
  return { 'gen_ai.agent.name': agent_name, 'gen_ai.agent.version': version };
}

export function runAttributes(run: ObservedRun, run_id: string): Attributes {
  const { config } = run.agent.resolved;
  const { session_id, user_id, correlation_id, trace_id } = run.context;
  return {
    'gen_ai.operation.name': 'invoke_agent',
    ...commonAttributes(run),
    ...agentAttributes(run),
    ...(config.description !== undefined && { 'gen_ai.agent.description': config.description }),
    ...(session_id !== undefined && { 'gen_ai.conversation.id': session_id, 'session.id': session_id }),
    ...(user_id !== undefined && { 'user.id': user_id }),
    'gen_ai.output.type': config.output_schema === undefined ? 'text' : 'json',
    'agent_stack.run_id': run_id,
    'agent_stack.agent_type': config.agent_type,
    'agent_stack.correlation_id': correlation_id ?? run_id,
    'agent_stack.trace_id': trace_id ?? run_id,
    'agent_stack.snapshot_hash': run.agent.snapshot.hash,
    ...(run.team !== undefined && { 'agent_stack.team': run.team }),
    ...(run.task !== undefined && { 'agent_stack.task': run.task }),
  };
}

/** Since v0.1.0 a workflow is an agent whose operation is `invoke_workflow`: it has no name, span type or metric of its own. */
export function workflowAttributes(name: string): Attributes {
  return { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.agent.name': name };
}

export function orchestrationAttributes({ snapshot, context }: ObservedOrchestration, run_id: string): Attributes {
  const { session_id, user_id, correlation_id, trace_id } = context;
  return {
    ...workflowAttributes(snapshot.value.name),
    ...(session_id !== undefined && { 'gen_ai.conversation.id': session_id, 'session.id': session_id }),
    ...(user_id !== undefined && { 'user.id': user_id }),
    'agent_stack.run_id': run_id,
    'agent_stack.correlation_id': correlation_id ?? run_id,
    'agent_stack.trace_id': trace_id ?? run_id,
    'agent_stack.snapshot_hash': snapshot.hash,
  };
}

export function requestAttributes(request: LlmRequest, run: ObservedRun, step: number): Attributes {
  const { temperature, top_p, max_tokens, stop } = request;
  const { session_id } = run.context;
  return {
    'gen_ai.operation.name': 'chat',
    ...commonAttributes(run),
    ...agentAttributes(run),
    'gen_ai.request.model': request.model,
    'gen_ai.request.stream': run.delivery === 'stream',
    'gen_ai.output.type': request.response_format ? 'json' : 'text',
    ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
    ...(top_p !== undefined && { 'gen_ai.request.top_p': top_p }),
    ...(max_tokens !== undefined && { 'gen_ai.request.max_tokens': max_tokens }),
    ...(stop !== undefined && stop.length > 0 && { 'gen_ai.request.stop_sequences': [...stop] }),
    ...(session_id !== undefined && { 'gen_ai.conversation.id': session_id }),
    'agent_stack.step': step,
  };
}

export function completionAttributes(completion: Completion): Attributes {
  const { id, model, finish_reason, usage, attempts, simulated, left_out, isUsageEstimated } = completion;
  return {
    ...(id !== undefined && { 'gen_ai.response.id': id }),
    'gen_ai.response.model': model,
    'gen_ai.response.finish_reasons': [finishReason(finish_reason)],
    ...(usage && {
      'gen_ai.usage.input_tokens': usage.prompt_tokens,
      'gen_ai.usage.output_tokens': usage.completion_tokens,
      'gen_ai.usage.cache_read.input_tokens': usage.cached_tokens,
      ...(usage.cache_write_tokens !== undefined && { 'gen_ai.usage.cache_write.input_tokens': usage.cache_write_tokens }),
      ...(usage.reasoning_tokens !== undefined && { 'gen_ai.usage.reasoning.output_tokens': usage.reasoning_tokens }),
    }),
    ...(isUsageEstimated && { 'agent_stack.usage_estimated': true }),
    ...(simulated && { 'agent_stack.simulated': true }),
    ...(left_out.length > 0 && { 'agent_stack.left_out': [...left_out] }),
    'agent_stack.attempts': attempts,
  };
}

export function toolAttributes(name: string, id: string, tool: Tool | undefined, run: ObservedRun, step: number): Attributes {
  const { origin } = tool ?? {};
  return {
    'gen_ai.operation.name': 'execute_tool',
    ...agentAttributes(run),
    'gen_ai.tool.name': name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': id,
    ...(tool && { 'gen_ai.tool.description': tool.description }),
    ...(origin && { 'agent_stack.tool.origin': origin.type }),
    ...(origin?.type === 'mcp' && { 'agent_stack.tool.client_id': origin.client_id }),
    'agent_stack.step': step,
  };
}

/** The conventions' word for a finish reason. */
export function finishReason(reason: FinishReason): string {
  return reason === 'tool_use' ? 'tool_call' : reason;
}

/** `error.type` with few distinct values: the error's code, for a model call its reason, for anything else the class. */
export function errorType(error: unknown): string {
  if (error instanceof LlmError) return error.reason;
  if (error instanceof AgentStackError) return error.code;
  return error instanceof Error && error.name !== '' ? error.name : '_OTHER';
}

function serverAttributes(base_url: string | undefined): Attributes {
  if (base_url === undefined || !URL.canParse(base_url)) return {};
  const { hostname, port, protocol } = new URL(base_url);
  return { 'server.address': hostname, 'server.port': port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) };
}
