import type { Message } from '../llm/types.js';
import type { KnownSecrets } from '../ports.js';
import { coverError } from '../secrets/coverError.js';
import { coverAll } from '../secrets/coverValue.js';
import { StreamCover } from '../secrets/streamCover.js';
import type { ModelCallWatch, RunWatch } from './runWatch.js';

/** The same watch, which is told of no secret: what it makes of a run leaves the process. Events are covered before they come here. */
export function coverWatch(watch: RunWatch, known: KnownSecrets | undefined): RunWatch {
  // A conversation grows, and each message of it is covered once.
  const done = new WeakMap<Message, Message>();
  const coverMessage = (message: Message): Message => {
    const covered = done.get(message) ?? coverAll(message, known);
    done.set(message, covered);
    return covered;
  };
  return {
    event: (event) => watch.event(event),
    abandoned: () => watch.abandoned(),
    modelCall: (request) => coverModelCall(watch.modelCall({ ...request, messages: request.messages.map(coverMessage) }), known),
    toolCall(tool, input, context) {
      const call = watch.toolCall(tool, coverAll(input, known), { ...context, run: coverAll(context.run, known) });
      return {
        within: (act) => call.within(act),
        end: (outcome) => call.end(coverAll(outcome, known)),
        fail: (error) => call.fail(coverError(error, known)),
      };
    },
  };
}

function coverModelCall(call: ModelCallWatch, known: KnownSecrets | undefined): ModelCallWatch {
  const cover = new StreamCover(known);
  let type: 'text' | 'thinking' = 'text';
  const tellRest = (): void => {
    const text = cover.end();
    if (text !== '') call.part({ type, text });
  };
  return {
    part(part) {
      if (part.type === 'retry' || part.type !== type) tellRest();
      if (part.type === 'retry') {
        call.part(part);
        return;
      }
      type = part.type;
      // Told even where all of it is held back: something has come.
      call.part({ type, text: cover.push(part.text) });
    },
    end(completion) {
      tellRest();
      call.end(coverAll(completion, known));
    },
    fail(error) {
      tellRest();
      call.fail(coverError(error, known));
    },
  };
}
