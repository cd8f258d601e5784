import type { Logger } from '../ports.js';
import type { DBOSClient } from './dbosSdk.js';
import type { Engine, EngineProgram } from './engine.js';
import { queueOf, runQueue, taskQueue } from './names.js';
import type { WorkerTable } from './workerTable.js';

export interface StrayFlowsOptions {
  readonly worker_id: string;
  readonly client: Pick<DBOSClient, 'listWorkflows' | 'resumeWorkflows'>;
  readonly workers: WorkerTable;
  readonly engine: Engine;
  readonly program: EngineProgram;
  readonly logger: Logger;
}

/** Finds flows without a worker that did not fail, and puts them back into their queues. */
export interface StrayFlows {
  /** Those of workers whose epoch is over. */
  adopt(): Promise<void>;
  /** Those that wait for a key that this worker has. */
  takeUp(): Promise<void>;
  /** Those that are active here only according to the database: the answer to a claim was lost with its connection. */
  recover(): Promise<void>;
}

export function createStrayFlows({ worker_id, client, workers, engine, program, logger }: StrayFlowsOptions): StrayFlows {
  /** Claimed here but not active at the last check. */
  let suspects: ReadonlySet<string> = new Set();

  /** Takes the flows from their owner, even if it still works on them. */
  async function putBack(flow_ids: readonly string[]): Promise<void> {
    // Tasks first, since a run reads their outcome at once.
    for (const queueName of [taskQueue, runQueue]) {
      const ids = flow_ids.filter((id) => queueOf(id) === queueName);
      if (ids.length > 0) await client.resumeWorkflows(ids, { queueName });
    }
  }

  return {
    adopt: () =>
      workers.adoptDead(async (dead) => {
        const pendingFlows = await client.listWorkflows({ status: 'PENDING', executorId: [...dead], loadInput: false, loadOutput: false });
        if (pendingFlows.length === 0) return;
        const flows = pendingFlows.map(({ workflowID }) => workflowID);
        await putBack(flows);
        logger.log('warn', 'took over the flows of a dead worker', { worker_id, flows });
      }),
    async takeUp() {
      for (const { snapshot_hash, flow_ids } of await workers.waiting()) {
        // A program that cannot be loaded fails when it runs, with the reason.
        const lack = await program.lacks?.(snapshot_hash).catch(() => undefined);
        if (lack !== undefined) continue;
        await workers.endWaiting(flow_ids);
        await putBack(flow_ids);
        logger.log('info', 'took flows that waited for a worker able to run them', { worker_id, flows: flow_ids });
      }
    },
    async recover() {
      const idle = (await workers.claimed(worker_id)).filter((id) => !engine.has(id));
      // A flow that was just claimed or has just ended is updated in a moment.
      const lost = idle.filter((id) => suspects.has(id));
      suspects = new Set(idle);
      if (lost.length === 0) return;
      await putBack(lost);
      logger.log('warn', 'put back flows that were claimed and never started', { worker_id, flows: lost });
    },
  };
}
