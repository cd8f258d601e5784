import { type Attributes, context, type HrTime, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { AgentEvent } from '../agent/events.js';
import type { ToolCallWatch } from '../agent/observeRun.js';
import type { JsonObject } from '../json.js';
import type { Tool, ToolContext } from '../tools/types.js';
import { agentAttributes, errorType, toolAttributes } from './attributes.js';
import { valueText } from './messageTexts.js';
import type { WatchedRun } from './types.js';

type Calls = Extract<AgentEvent, { type: 'tool_call' }>['tool_calls'];
type Results = Extract<AgentEvent, { type: 'tool_result' }>['tool_results'];

/** The tool calls of a run: one span and one count for each call the model requested, however often it is tried. */
export interface ToolSpans {
  asked(calls: Calls, step: number): void;
  tried(tool: Tool, input: JsonObject, context: ToolContext): ToolCallWatch;
  answered(results: Results): void;
  /** The run is over; open spans end as cancelled. */
  close(): void;
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly step: number;
  tool: Tool | undefined;
  span: Span | undefined;
  started: HrTime | undefined;
  ended: HrTime | undefined;
  tries: number;
  error: string | undefined;
}

export function createToolSpans(watched: WatchedRun): ToolSpans {
  const { telemetry, run } = watched;
  let open: OpenCall[] = [];

  const begin = (call: OpenCall, tool: Tool | undefined) => {
    call.tool = tool;
    call.started = watched.time();
    call.span = watched.startSpan(
      `execute_tool ${call.name}`,
      SpanKind.INTERNAL,
      toolAttributes(call.name, call.id, tool, run, call.step),
      call.started,
    );
    if (telemetry.captureContent) call.span?.setAttribute('gen_ai.tool.call.arguments', valueText(call.input));
  };

  const end = (call: OpenCall, error: string | undefined, result?: unknown) => {
    const isReused = call.tries === 0 && error === undefined;
    if (call.started === undefined) begin(call, undefined);
    const { span, started = watched.time(), ended = watched.time(), tool, tries } = call;
    const { instruments } = telemetry;
    // A name that the model made up is not a tool's name: there could be any number of them.
    const name = tool || isReused ? call.name : '_OTHER';
    const measured: Attributes = { ...agentAttributes(run), 'gen_ai.tool.name': name, ...(error !== undefined && { 'error.type': error }) };
    instruments?.toolCall({ ...measured, ...(isReused && { 'agent_stack.tool.reused': true }) });
    if (tries > 0) instruments?.toolDuration(watched.seconds(started, ended), measured);
    if (!span) return;
    if (error !== undefined) span.setAttribute('error.type', error);
    if (error !== undefined && error !== 'cancelled') span.setStatus({ code: SpanStatusCode.ERROR });
    if (tries > 1) span.setAttribute('agent_stack.attempts', tries);
    if (isReused) span.setAttribute('agent_stack.tool.reused', true);
    if (telemetry.captureContent && result !== undefined) span.setAttribute('gen_ai.tool.call.result', valueText(result));
    span.end(ended);
  };

  return {
    asked(calls, step) {
      for (const { id, name, input } of calls) {
        open.push({
          id,
          name,
          input,
          step,
          tool: undefined,
          span: undefined,
          started: undefined,
          ended: undefined,
          tries: 0,
          error: undefined,
        });
      }
    },
    tried(tool, input, { call_id }) {
      const call = findCall(open, tool, input, call_id);
      if (!call) return { within: (act) => act(), end: () => undefined, fail: () => undefined };
      if (call.started === undefined) begin(call, tool);
      call.tries++;
      const { span } = call;
      const done = (error: string | undefined) => {
        call.ended = watched.time();
        call.error = error;
      };
      return {
        within: (act) => (span ? context.with(watched.inside(span), act) : act()),
        end: ({ is_error }) => done(is_error ? 'tool-error' : undefined),
        fail: (error) => done(errorType(error)),
      };
    },
    answered(results) {
      for (const { id, is_error, output } of results) {
        const call = open.find((each) => each.id === id);
        if (!call) continue;
        open = open.filter((each) => each !== call);
        // An error of a call that reached no tool: unknown, refused arguments, or not allowed.
        end(call, is_error ? (call.error ?? (call.tries === 0 ? 'not-called' : 'tool-error')) : undefined, output);
      }
    },
    close() {
      for (const call of open) end(call, call.error ?? 'cancelled');
      open = [];
    },
  };
}

/** The call a try belongs to: found by its id, or else the first of this name without a try, or one with the same input. */
function findCall(open: readonly OpenCall[], tool: Tool, input: JsonObject, call_id: string | undefined): OpenCall | undefined {
  if (call_id !== undefined) return open.find(({ id }) => id === call_id);
  const named = open.filter(({ name }) => name === tool.name);
  const text = JSON.stringify(input);
  const alike = named.filter(({ input: asked }) => JSON.stringify(asked) === text);
  return alike.find(({ tries }) => tries === 0) ?? alike[0] ?? named.find(({ tries }) => tries === 0) ?? named[0];
}
