import { readProjectSettings } from '../config/readProjectSettings.js';
import { ConfigInvalidError, DeniedError } from '../errors.js';
import { connectAgents } from '../run/connectAgents.js';
import { learnSecrets } from '../run/runSecrets.js';
import type { AllowedTools } from '../tools/allowedTools.js';
import { isPreapproved, nobodyToApprove } from '../tools/policyReason.js';
import type { ApproveTool } from '../tools/types.js';
import type { DbosWorkerOptions, Worker } from './dbosEngine.js';
import type { DbosRuntime } from './dbosRuntime.js';
import { createOrchestrationProgram } from './orchestrationProgram.js';
import { startWorker } from './worker.js';

/** A worker that runs orchestrations. @throws ConfigInvalidError if the tools of the project cannot be loaded */
export async function startOrchestrationWorker(runtime: DbosRuntime, options: DbosWorkerOptions): Promise<Worker> {
  const { ports, database_url, observer, onNotice, ownTools, ...shared } = runtime;
  const { approve = approveAllowed, ...limits } = options;
  const { tools, registered } = await ownTools(await readProjectSettings(ports.files));
  const problem = registered.moduleProblem ?? registered.moduleUnseen;
  if (problem !== undefined) throw new ConfigInvalidError(problem, []);
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
        learn: (agents, { mcp_inputs }) => learnSecrets(agents, { ...shared, ports, mcp_inputs }),
        connectAgents: ({ allow_tools, mcp_inputs }) =>
          connectAgents({ ...shared, tools, ports, approve: approve(allow_tools), mcp_inputs }),
      }),
  });
}

function approveAllowed(allowed: AllowedTools): ApproveTool {
  return async (request) => {
    const { tool, policy } = request;
    if (isPreapproved(allowed, request)) return 'allow';
    if (policy) throw nobodyToApprove(request, policy);
    throw new DeniedError(`The tool "${tool.name}" is called only if the run allows it: name it in allow_tools.`);
  };
}
