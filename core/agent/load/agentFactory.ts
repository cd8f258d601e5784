import { loadProjectIndex, type RegisteredFor } from '../../config/loadProjectIndex.js';
import type { Ports } from '../../ports.js';
import type { AgentPrompt } from '../../prompt/agentPrompt.js';
import { checkPayload } from '../../prompt/payloadCheck.js';
import type { CallOverrides } from '../../snapshot/types.js';
import type { Agent } from '../types.js';
import { loadAgent } from './loadAgent.js';

export interface AgentFactory {
  /**
   * The prompt of an agent, checked with its input: path, parse, required keys, identity, rules, payload, construct. The
   * first stage that fails reports all its findings.
   * @throws UnknownAgentConfigError, ConfigSyntaxError, ConfigInvalidError, InputInvalidError
   */
  create(agentName: string, version: string, inputPayload: object, overrides?: CallOverrides): Promise<AgentPrompt>;
  /** The same without the payload: an agent that can run many payloads. @throws as `create`, but InputInvalidError */
  load(agentName: string, version: string, overrides?: CallOverrides): Promise<Agent>;
}

export interface AgentFactoryOptions {
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  /** Which `environments/{name}.json` applies. Default: the project's. */
  readonly environment_name?: string;
  /** Tools and providers registered in code. Default: none. */
  readonly registered?: RegisteredFor;
}

/** Stateless: each call depends on its arguments and on the files at that moment. */
export function createAgentFactory({ ports, environment_name, registered }: AgentFactoryOptions): AgentFactory {
  async function load(agent_name: string, version: string, overrides?: CallOverrides): Promise<Agent> {
    const project = await loadProjectIndex(ports.files, { registered });
    return (await loadAgent({ project, ports, agent_name, version, environment_name, overrides })).agent;
  }

  return {
    load,
    async create(agentName, version, inputPayload, overrides) {
      const { prompt } = await load(agentName, version, overrides);
      checkPayload(prompt, inputPayload);
      return prompt;
    },
  };
}
