import type { AgentEvent, FinalEvent } from '../agent/events.js';
import type { KnownSecrets } from '../ports.js';
import { hasStopped } from '../run/runSummary.js';
import { coverJson } from '../secrets/coverValue.js';

export interface EventWriter {
  add(event: AgentEvent): void;
  /** Resolves when everything added is in the database. @throws the error of `write`, from then on always */
  flush(): Promise<void>;
}

/** How long an event waits for others, in ms: hardly noticeable, and streamed text becomes a few statements per second. */
const patience = 40;
const mostTogether = 200;

/**
 * Adds the events of one flow to those of its run, in order and in batches. A failure is reported to `onFailure` at once, since no caller may be
 * waiting, and nothing is written after it.
 *
 * @param write adds events that are JSON already. `isEnd`: the last of them ends the run
 */
export function createEventWriter(
  write: (events: readonly string[], isEnd: boolean) => Promise<void>,
  onFailure: (error: unknown) => void,
  knownSecrets?: KnownSecrets,
): EventWriter {
  let waiting: string[] = [];
  let isEnd = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return last;
    last = last.then(() => {
      // Everything that arrived during the previous write is one batch.
      const events = waiting;
      waiting = [];
      return events.length === 0 ? undefined : write(events, isEnd);
    });
    last.catch(onFailure);
    return last;
  }

  return {
    add(event) {
      waiting.push(coverJson(JSON.stringify(event), knownSecrets));
      if (event.final) isEnd = !canGoOn(event);
      if (waiting.length >= mostTogether) void flush().catch(() => undefined);
      else timer ??= setTimeout(() => void flush().catch(() => undefined), patience);
    },
    flush,
  };
}

/** Whether a run can be resumed, which includes cancelled ones. */
export function canGoOn({ result }: FinalEvent): boolean {
  return result.status === 'cancelled' || hasStopped(result);
}
