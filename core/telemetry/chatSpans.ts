import { type Attributes, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ModelCallWatch } from '../agent/observeRun.js';
import { CancelledError } from '../errors.js';
import type { LlmRequest } from '../llm/types.js';
import { commonAttributes, completionAttributes, errorType, requestAttributes } from './attributes.js';
import { inputMessages, outputMessages, toolDefinitions } from './messageTexts.js';
import type { WatchedRun } from './types.js';

/** The model calls of a run: one span and its measures for each, retries included. */
export interface ChatSpans {
  asked(request: LlmRequest, step: number): ModelCallWatch;
  /** The run is over; open spans end as cancelled. */
  close(): void;
}

export function createChatSpans(watched: WatchedRun): ChatSpans {
  const { telemetry, run, seconds, time } = watched;
  const { instruments, captureContent } = telemetry;
  const common: Attributes = { ...commonAttributes(run), 'gen_ai.operation.name': 'chat' };
  const open = new Set<ModelCallWatch>();

  function asked(request: LlmRequest, step: number): ModelCallWatch {
    const started = time();
    const span = watched.startSpan(`chat ${request.model}`, SpanKind.CLIENT, requestAttributes(request, run, step), started);
    if (span && captureContent) describeInput(span, request);
    const measured: Attributes = { ...common, 'gen_ai.request.model': request.model };
    let isFirst = true;
    const watch: ModelCallWatch = {
      part(part) {
        if (part.type === 'retry') {
          const { attempt, wait_ms, reason } = part;
          const attributes = { 'agent_stack.attempt': attempt, 'agent_stack.wait_ms': wait_ms, 'error.type': reason };
          span?.addEvent('agent_stack.retry', attributes, time());
          return;
        }
        if (!isFirst) return;
        isFirst = false;
        const waited = seconds(started, time());
        span?.setAttribute('gen_ai.response.time_to_first_chunk', waited);
        instruments?.timeToFirstChunk(waited, measured);
      },
      end(completion) {
        if (!open.delete(watch)) return;
        const now = time();
        const answered: Attributes = { ...measured, 'gen_ai.response.model': completion.model };
        instruments?.operationDuration(seconds(started, now), answered);
        const { usage, isUsageEstimated } = completion;
        // The conventions forbid guessed numbers here.
        if (usage && !isUsageEstimated) instruments?.tokenUsage(usage, answered);
        if (span && captureContent) span.setAttribute('gen_ai.output.messages', outputMessages(completion));
        span?.setAttributes(completionAttributes(completion));
        span?.end(now);
      },
      fail(error) {
        // The end of the run may have ended it before: a cancelled call returns late.
        if (!open.delete(watch)) return;
        const now = time();
        const type = errorType(error);
        instruments?.operationDuration(seconds(started, now), { ...measured, 'error.type': type });
        span?.setAttribute('error.type', type);
        const message = error instanceof Error ? error.message : String(error);
        if (!(error instanceof CancelledError)) span?.setStatus({ code: SpanStatusCode.ERROR, message });
        span?.end(now);
      },
    };
    open.add(watch);
    return watch;
  }

  return {
    asked,
    close() {
      for (const call of [...open]) call.fail(new CancelledError('The run ended.'));
    },
  };
}

function describeInput(span: Span, { messages, tools = [] }: LlmRequest): void {
  span.setAttribute('gen_ai.input.messages', inputMessages(messages));
  if (tools.length > 0) span.setAttribute('gen_ai.tool.definitions', toolDefinitions(tools));
}
