import { type Attributes, type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import type { AgentEvent, RunResult } from '../agent/events.js';
import type { ObservedOrchestration, OrchestrationWatch } from '../agent/observeRun.js';
import { orchestrationAttributes, workflowAttributes } from './attributes.js';
import { createSpanTime, secondsBetween } from './spanTime.js';
import type { Telemetry } from './types.js';
import { resultAttributes } from './watchRun.js';

/**
 * Creates spans for the run of an orchestration, following the GenAI semantic conventions: `invoke_workflow` for the whole, and below it one for each
 * execution of a team, named `{orchestration}/{team}`. The `invoke_agent` spans of tasks go under those of their teams.
 */
export function watchOrchestration({ clock, traces, instruments }: Telemetry, run: ObservedOrchestration): OrchestrationWatch {
  const { name } = run.snapshot.value;
  const time = createSpanTime(clock);
  const began = time();
  let hasBegun = false;
  let span: Span | undefined;
  let place: Context = ROOT_CONTEXT;
  let team: Span | undefined;

  /** The run's id, which may become its trace id, is known with its first event. */
  function begin(run_id: string): void {
    if (hasBegun) return;
    hasBegun = true;
    const sampleRate = highestRate(run);
    if (!traces || sampleRate === undefined) return;
    const { parent, isRecorded } = traces.place({ context: run.context, sampleRate }, run_id);
    if (!isRecorded) return;
    const options = { kind: SpanKind.INTERNAL, attributes: orchestrationAttributes(run, run_id), startTime: began };
    span = traces.tracer.startSpan(`invoke_workflow ${name}`, options, parent);
    place = trace.setSpan(parent, span);
  }

  function beginTeam(id: string, execution: number, snapshot_hash: string | undefined): void {
    const attributes: Attributes = {
      ...workflowAttributes(`${name}/${id}`),
      'agent_stack.team': id,
      'agent_stack.execution': execution,
      ...(snapshot_hash !== undefined && { 'agent_stack.snapshot_hash': snapshot_hash }),
    };
    team =
      span && traces?.tracer.startSpan(`invoke_workflow ${name}/${id}`, { kind: SpanKind.INTERNAL, attributes, startTime: time() }, place);
  }

  function endTeam(): void {
    team?.end(time());
    team = undefined;
  }

  function finish(result: RunResult | undefined): void {
    endTeam();
    const now = time();
    const status = result?.status ?? 'cancelled';
    const hasFailed = status === 'failed' || status === 'partial';
    const failed = hasFailed ? { 'error.type': result?.error?.code ?? '_OTHER' } : {};
    instruments?.agentDuration(secondsBetween(began, now), { ...workflowAttributes(name), 'agent_stack.status': status, ...failed });
    if (!span) return;
    span.setAttributes({ ...failed, 'agent_stack.status': status, ...(result && resultAttributes(result)) });
    if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR, message: result?.error?.message ?? '' });
    span.end(now);
  }

  return {
    event(event: AgentEvent) {
      begin(event.run_id);
      switch (event.type) {
        case 'team_start':
          beginTeam(event.team, event.execution, event.snapshot_hash);
          break;
        case 'task_end':
          if (event.status !== 'failed') break;
          team?.addEvent(
            'agent_stack.task_failed',
            { 'agent_stack.task': event.task, 'error.type': event.result.error?.code ?? '_OTHER' },
            time(),
          );
          break;
        case 'route':
          team?.addEvent('agent_stack.route', routeAttributes(event), time());
          break;
        case 'team_end':
          endTeam();
          break;
        case 'final':
          finish(event.result);
          break;
      }
    },
    abandoned: () => finish(undefined),
    parent() {
      const context = (team ?? span)?.spanContext();
      if (!context) return undefined;
      const trace_sampled = (context.traceFlags & TraceFlags.SAMPLED) !== 0;
      return { trace_id: context.traceId, parent_span_id: context.spanId, trace_sampled };
    },
  };
}

/** If its agents are traced at different rates, a run is recorded at the highest; undefined if none is traced. */
function highestRate({ agents }: ObservedOrchestration): number | undefined {
  const rates = [...agents.values()].flatMap(({ resolved: { config } }) => (config.tracing.enabled ? [config.tracing.sample_rate] : []));
  return rates.length === 0 ? undefined : Math.max(...rates);
}

function routeAttributes({ rule, next_team, notes }: Extract<AgentEvent, { type: 'route' }>): Attributes {
  return {
    ...(rule !== null && { 'agent_stack.rule': rule }),
    ...(next_team !== null && { 'agent_stack.next_team': next_team }),
    ...(notes.length > 0 && { 'agent_stack.notes': [...notes] }),
  };
}
