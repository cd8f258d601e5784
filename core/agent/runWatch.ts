import type { JsonObject } from '../json.js';
import type { Completion, LlmRequest, Message, StreamPart } from '../llm/types.js';
import type { KnownSecrets } from '../ports.js';
import { coverError } from '../secrets/coverError.js';
import { coverAll } from '../secrets/coverValue.js';
import { StreamCover } from '../secrets/streamCover.js';
import type { Tool, ToolContext, ToolOutcome } from '../tools/types.js';
import type { AgentEvent } from './events.js';

/** Follows one run. Model and tool calls are reported when they happen, so their times are those of the calls themselves. */
export interface RunWatch {
  /** Every event, in order, including the final one. */
  event(event: AgentEvent): void;
  /** The reader of the events left before the final one. */
  abandoned(): void;
  modelCall(request: LlmRequest): ModelCallWatch;
  /** Called for every attempt of a tool call; all attempts of a call have the same `call_id`. */
  toolCall(tool: Tool, input: JsonObject, context: ToolContext): ToolCallWatch;
}

export interface ModelCallWatch {
  /** Parts of a stream, without the completion. */
  part(part: Exclude<StreamPart, { type: 'completion' }>): void;
  end(completion: Completion): void;
  fail(error: unknown): void;
}

export interface ToolCallWatch {
  /** Runs the call so that whatever it starts is recorded as part of it. */
  within<Result>(call: () => Result): Result;
  end(outcome: ToolOutcome): void;
  fail(error: unknown): void;
}

/** The same watch with secrets masked, since its data leaves the process. Events are already masked. */
export function coverWatch(watch: RunWatch, secrets: KnownSecrets | undefined): RunWatch {
  // A conversation grows, and each of its messages is masked only once.
  const masked = new WeakMap<Message, Message>();
  const coverMessage = (message: Message): Message => {
    const covered = masked.get(message) ?? coverAll(message, secrets);
    masked.set(message, covered);
    return covered;
  };
  return {
    event: (event) => watch.event(event),
    abandoned: () => watch.abandoned(),
    modelCall: (request) => coverModelCall(watch.modelCall({ ...request, messages: request.messages.map(coverMessage) }), secrets),
    toolCall(tool, input, context) {
      const call = watch.toolCall(tool, coverAll(input, secrets), { ...context, run: coverAll(context.run, secrets) });
      return {
        within: (act) => call.within(act),
        end: (outcome) => call.end(coverAll(outcome, secrets)),
        fail: (error) => call.fail(coverError(error, secrets)),
      };
    },
  };
}

function coverModelCall(call: ModelCallWatch, secrets: KnownSecrets | undefined): ModelCallWatch {
  const cover = new StreamCover(secrets);
  let type: 'text' | 'thinking' = 'text';
  const flush = (): void => {
    const text = cover.end();
    if (text !== '') call.part({ type, text });
  };
  return {
    part(part) {
      if (part.type === 'retry' || part.type !== type) flush();
      if (part.type === 'retry') {
        call.part(part);
        return;
      }
      type = part.type;
      // Reported even if all of it is held back, since something has arrived.
      call.part({ type, text: cover.push(part.text) });
    },
    end(completion) {
      flush();
      call.end(coverAll(completion, secrets));
    },
    fail(error) {
      flush();
      call.fail(coverError(error, secrets));
    },
  };
}
