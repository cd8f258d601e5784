import { unlessRefused } from '../core/agent/load/refused.js';
import type { LoadedIndex } from '../core/config/loadProjectIndex.js';
import { agentNames, didYouMean, nearestNames } from '../core/names.js';
import type { Project } from '../core/project/types.js';
import type { TeamAgent } from '../core/scaffold/newOrchestrationFiles.js';
import { sampleInput } from '../core/scaffold/sampleInput.js';
import { UsageError } from './cli.js';
import { parseAgent } from './parseAgent.js';

/**
 * An agent, `NAME` or `NAME@VERSION`, with an input that it takes.
 * @throws UsageError if the project has no agent, or no input is found; the errors of an agent that cannot run
 */
export async function readAgentInput(project: Project, index: LoadedIndex, spec: string): Promise<TeamAgent> {
  const [agent_name, version] = parseAgent(spec, index);
  const versions = index.versions(agent_name);
  if (!versions.includes(version)) throw unknownAgent(index, agent_name, version);
  const { agent } = unlessRefused(await project.load({ index, agent_name, version }));
  const input = sampleInput(agent.resolved.config);
  if (input === undefined) {
    const path = index.ids('agent').get(`${agent_name}@${version}`);
    throw new UsageError(`No input was found that meets the input_schema of ${agent_name}@${version} (${path}). Is there one?`);
  }
  return { agent_name, version, input };
}

export function unknownAgent(index: LoadedIndex, name: string, version: string): UsageError {
  const versions = index.versions(name);
  if (versions.length > 0) return new UsageError(`${name} has no version ${JSON.stringify(version)}. Versions: ${versions.join(', ')}.`);
  return new UsageError(`There is no agent ${JSON.stringify(name)}.${didYouMean(nearestNames(name, agentNames(index)))}`);
}
