/** Names in the library, the same in all processes of a version. */

/** The owner of flows, since other programs may use the same database. */
export const applicationName = 'agent-stack';

/**
 * Workers take flows of this version only. It changes when a flow's steps would no longer be those that an older worker stored: then workers of
 * both versions run side by side until the older flows are done.
 */
export const flowVersion = 'agent-stack-1';

export const runFlow = 'run';
export const taskFlow = 'task';

/** Runs wait here for a worker. */
export const runQueue = 'agentstack-runs';

/**
 * Tasks of a dead worker wait here. A separate queue without limits: a run keeps its place in the other one while it waits for its tasks, which
 * would be a deadlock.
 */
export const taskQueue = 'agentstack-tasks';

/** Runs whose worker lacks a key wait here for another worker. No worker takes work from it directly. */
export const waitingQueue = 'agentstack-waiting';

/** The queue of a flow, by its id. */
export function queueOf(flow_id: string): string {
  return flow_id.includes('/') ? taskQueue : runQueue;
}

/** Id of a task's flow, so that a second start has no effect. */
export function taskFlowId(runId: string, { execution, team, task }: { execution: number; team: string; task: string }): string {
  return `${runId}/${execution}/${team}/${task}`;
}
