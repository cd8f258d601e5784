import type { AgentEvent } from '../agent/events.js';
import { finishRun, followCaller, storeEvent } from '../agent/runLifecycle.js';
import { CancelledError } from '../errors.js';
import { OrchestrationRecord } from './orchestrationRecord.js';
import { runTeams } from './runTeams.js';
import type { OrchestrationRequest } from './types.js';

/**
 * Runs an orchestration once. Yields the events of all its tasks in the order they happen, numbered as one run, and ends with exactly one
 * `final` event: a failure or a cancellation is a result, not an exception. Reads nothing but the frozen orchestration and
 * the input.
 */
export async function* runOrchestration(request: OrchestrationRequest): AsyncGenerator<AgentEvent, void, undefined> {
  const { orchestration, store, resume } = request;
  const { hash } = orchestration.snapshot;
  const record = new OrchestrationRecord(request);
  const over = new AbortController();
  const unfollow = followCaller(over, request.signal);
  let teams: ReturnType<typeof runTeams> | undefined;
  let ended = false;

  try {
    try {
      record.begin(request.input);
      if (store) {
        const { run_id, runContext: context } = record;
        const { snapshot_path } = await store.begin({
          run_id,
          snapshot: orchestration.snapshot,
          context,
          input: request.input ?? {},
          elapsed: () => record.elapsed(),
        });
        record.snapshot_path = snapshot_path;
      }
      record.log('info', resume ? 'run resumed' : 'run started', { snapshot_hash: hash });
      teams = runTeams({ request, record, over });
      for (let next = await teams.next(); !next.done; next = await teams.next()) {
        const event = record.event(next.value);
        const failure = store && (await storeEvent(event, store));
        yield event;
        if (failure) throw failure.error;
      }
      record.complete();
    } catch (error) {
      // After an abort, the interrupted task may throw an error of its own. The cause is the signal's reason.
      record.fail(over.signal.aborted ? over.signal.reason : error);
      over.abort(error);
      await teams?.return();
    }
    const final = record.finalEvent();
    ended = true;
    yield await finishRun({ record, store }, final);
  } finally {
    unfollow();
    if (!ended) {
      // The reader of the events left early: what happened so far is stored as a cancelled run.
      const abandoned = new CancelledError('The run was abandoned before its end.');
      over.abort(abandoned);
      await teams?.return();
      record.fail(abandoned);
      await finishRun({ record, store }, record.finalEvent());
    }
  }
}
