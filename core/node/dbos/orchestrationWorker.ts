import { DeniedError } from '../../errors.js';
import { connectAgents } from '../../run/connectAgents.js';
import type { ApproveTool } from '../../tools/types.js';
import type { AllowedTools, DbosRuntime, DbosWorkerOptions, Worker } from './dbosEngine.js';
import { createOrchestrationProgram } from './orchestrationProgram.js';
import { startWorker } from './worker.js';

/** A worker that runs orchestrations. */
export function startOrchestrationWorker(runtime: DbosRuntime, options: DbosWorkerOptions): Promise<Worker> {
  const { ports, database_url, observer, onNotice, ...shared } = runtime;
  const { approve = approveAllowed, ...limits } = options;
  return startWorker({
    ...limits,
    database_url,
    ports,
    ...(onNotice && { onLack: onNotice }),
    version: `agent-stack ${process.env.AGENT_STACK_VERSION ?? '0'}`,
    program: (database) =>
      createOrchestrationProgram({
        database,
        ports,
        providers: shared.providers,
        observer,
        connectAgents: ({ allow_tools, mcp_inputs }) => connectAgents({ ...shared, ports, approve: approve(allow_tools), mcp_inputs }),
      }),
  });
}

function approveAllowed(allowed: AllowedTools): ApproveTool {
  return async ({ tool: { name } }) => {
    if (allowed === 'all' || (allowed !== 'none' && allowed.includes(name))) return 'allow';
    throw new DeniedError(`The tool "${name}" is called only when the run allows it: name it in allow_tools.`);
  };
}
