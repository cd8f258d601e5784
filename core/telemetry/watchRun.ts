import { type Attributes, type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { AgentEvent, RunResult } from '../agent/events.js';
import type { ObservedRun, RunWatch } from '../agent/observeRun.js';
import { agentAttributes, commonAttributes, runAttributes } from './attributes.js';
import { createChatSpans } from './chatSpans.js';
import { createSpanTime, secondsBetween } from './spanTime.js';
import { createToolSpans } from './toolSpans.js';
import type { Telemetry, WatchedRun } from './types.js';

/** Creates spans and metrics for one run, following the GenAI semantic conventions: `invoke_agent`, and below it `chat` and `execute_tool`. */
export function watchRun(telemetry: Telemetry, run: ObservedRun): RunWatch {
  const { clock, traces, instruments } = telemetry;
  const time = createSpanTime(clock);
  const began = time();
  const own: Attributes = agentAttributes(run);

  let span: Span | undefined;
  let place: Context = ROOT_CONTEXT;
  let hasBegun = false;
  let step = 0;

  const watched: WatchedRun = {
    telemetry,
    run,
    time,
    seconds: secondsBetween,
    startSpan: (name, kind, attributes, startTime = time()) =>
      span && traces?.tracer.startSpan(name, { kind, attributes, startTime }, place),
    inside: (inner) => trace.setSpan(place, inner),
  };
  const chats = createChatSpans(watched);
  const tools = createToolSpans(watched);

  /** The run's id, which may become its trace id, is known with its first event. */
  function begin(run_id: string): void {
    if (hasBegun) return;
    hasBegun = true;
    const { agent_name, tracing } = run.agent.resolved.config;
    if (!traces || !tracing.enabled) return;
    const { parent, isRecorded } = traces.place({ context: run.context, sampleRate: tracing.sample_rate }, run_id);
    if (!isRecorded) return;
    const name = `invoke_agent ${agent_name}`;
    span = traces.tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes: runAttributes(run, run_id), startTime: began }, parent);
    place = trace.setSpan(parent, span);
  }

  function finish(result: RunResult | undefined): void {
    chats.close();
    tools.close();
    const now = time();
    const status = result?.status ?? 'cancelled';
    const failed = status === 'failed' ? { 'error.type': result?.error?.code ?? '_OTHER' } : {};
    const attributes = { ...own, ...failed };
    instruments?.run({ ...attributes, 'agent_stack.status': status });
    instruments?.agentDuration(secondsBetween(began, now), {
      'gen_ai.operation.name': 'invoke_agent',
      ...commonAttributes(run),
      ...attributes,
    });
    if (result) {
      const { iterations, estimated_cost_usd } = result.metadata;
      instruments?.iterations(iterations, { ...attributes, 'agent_stack.status': status });
      if (estimated_cost_usd !== null) instruments?.cost(estimated_cost_usd, { ...commonAttributes(run), ...own });
    }
    if (!span) return;
    span.setAttributes({ ...failed, 'agent_stack.status': status, ...(result && resultAttributes(result)) });
    if (result?.status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR, message: result.error?.message ?? '' });
    span.end(now);
  }

  return {
    event(event: AgentEvent) {
      begin(event.run_id);
      switch (event.type) {
        case 'step_start':
          step = event.step;
          break;
        case 'tool_call':
          tools.asked(event.tool_calls, step);
          break;
        case 'tool_result':
          tools.answered(event.tool_results);
          break;
        case 'repair':
          span?.addEvent('agent_stack.repair', { 'agent_stack.issues': event.issues.length, 'agent_stack.step': step }, time());
          break;
        case 'final':
          finish(event.result);
          break;
      }
    },
    abandoned: () => finish(undefined),
    toolCall: tools.tried,
    modelCall: (request) => chats.asked(request, step),
  };
}

/** The attributes known at the end of a run. */
export function resultAttributes({ error, metadata, reasoning }: RunResult): Attributes {
  const { token_usage, iterations, estimated_cost_usd, tools_used, simulated } = metadata;
  const reason = error?.details?.reason;
  return {
    'gen_ai.usage.input_tokens': token_usage.prompt_tokens,
    'gen_ai.usage.output_tokens': token_usage.completion_tokens,
    'agent_stack.iterations': iterations,
    'agent_stack.confidence': reasoning.confidence,
    ...(estimated_cost_usd !== null && { 'agent_stack.cost_usd': estimated_cost_usd }),
    ...(tools_used.length > 0 && { 'agent_stack.tools_used': [...tools_used] }),
    ...(typeof reason === 'string' && { 'agent_stack.error.reason': reason }),
    ...(simulated && { 'agent_stack.simulated': true }),
  };
}
