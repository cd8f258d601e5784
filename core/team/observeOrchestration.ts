import type { AgentEvent } from '../agent/events.js';
import { type OrchestrationWatch, type RunObserver, untilItThrows } from '../agent/observeRun.js';
import { coverAll } from '../secrets/coverValue.js';
import { runOrchestration } from './runOrchestration.js';
import type { OrchestrationRequest, RunTask } from './types.js';

/**
 * As `runOrchestration`, watched where there is an observer. The agents of tasks are watched where they run (`createRunTask`), possibly in
 * another process, and get their parent span from here.
 */
export async function* observeOrchestration(
  observer: RunObserver | undefined,
  request: OrchestrationRequest,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { orchestration, ports } = request;
  const context = coverAll(request.context ?? {}, ports.knownSecrets);
  const { snapshot, agents } = orchestration;
  let watch: OrchestrationWatch | undefined;
  try {
    watch = await observer?.beginOrchestration?.({ snapshot, agents, context });
  } catch (error) {
    ports.logger.log('error', 'A run could not be watched.', { error });
  }
  if (!watch) {
    yield* runOrchestration(request);
    return;
  }
  const watched = watch;
  const safely = untilItThrows(ports.logger);
  const runTask: RunTask = (call, emit) => {
    const parent = safely(() => watched.parent());
    return request.runTask(parent ? { ...call, parent } : call, emit);
  };
  let ended = false;
  try {
    for await (const event of runOrchestration({ ...request, runTask })) {
      ended = event.final;
      safely(() => watched.event(event));
      yield event;
    }
  } finally {
    if (!ended) safely(() => watched.abandoned());
  }
}
