/** Names for the library, by which flows of one version find each other across processes. */

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
 * Tasks of a dead worker wait here. A queue of their own, without limits: a run keeps its place in the other one while it waits for its tasks,
 * so they would wait for each other.
 */
export const taskQueue = 'agentstack-tasks';

/** What a worker took but cannot do, for want of a key, waits here for one that can. No worker takes work from it directly. */
export const waitingQueue = 'agentstack-waiting';

/** The queue of a flow, by its id. */
export function queueOf(flow_id: string): string {
  return flow_id.includes('/') ? taskQueue : runQueue;
}

/** Id of a task's flow: starting it twice is starting it once. */
export function taskFlowId(runId: string, { execution, team, task }: { execution: number; team: string; task: string }): string {
  return `${runId}/${execution}/${team}/${task}`;
}
