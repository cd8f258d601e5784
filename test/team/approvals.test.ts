import { expect, test } from 'vitest';
import type { ConnectAgent } from '../../core/agent/types.js';
import { createRunTask } from '../../core/team/createRunTask.js';
import { runOrchestration } from '../../core/team/runOrchestration.js';
import type { ToolRequest } from '../../core/tools/types.js';
import { collectRun } from '../agent/collectRun.js';
import { scriptedModel } from '../support/scriptedModel.js';
import { scriptedTools } from '../support/scriptedTools.js';
import { freezeTeams } from '../support/teams.js';
import { testPorts } from '../support/testPorts.js';

const doer = {
  agent_name: 'Doer',
  version: 'v2',
  agent_type: 'react',
  system_text: 'You act.',
  purpose_text: 'Act.',
  output_schema: { type: 'object' },
  model_name: 'gpt-4.1-mini',
};
const boss = {
  agent_name: 'Boss',
  version: 'v1',
  agent_type: 'orchestrating',
  system_text: 'You lead.',
  model_name: 'gpt-4.1-mini',
  execution_plan: { steps: [{ name: 'act', agent: 'Doer@v2', input: {} }] },
};

type Asker = { readonly [Name in 'team' | 'task' | 'agent_name' | 'agent_version']: ToolRequest[Name] };

/** Who asks for leave in a run of these tasks, each calling a tool that needs it once. */
async function whoAsks(tasks: readonly { readonly [member: string]: string }[]): Promise<readonly Asker[]> {
  const orchestration = freezeTeams(
    { teams: { review: { tasks, routing: { default: null } } }, entry_team: 'review' },
    { 'agents/Doer/v2': doer, 'agents/Boss/v1': boss },
  );
  const asked: Asker[] = [];
  const { openTools } = scriptedTools({ name: 'erase', needs_approval: true });
  const connectAgent: ConnectAgent = () => ({
    llm: scriptedModel({ chunks: [], calls: [{ name: 'erase', input: { q: 'all' } }] }, { chunks: ['{}'] }),
    openTools,
    approve: async ({ team, task, agent_name, agent_version, tool }) => {
      asked.push({ team, task, agent_name, agent_version });
      expect(tool.name).toBe('erase');
      return 'allow';
    },
  });
  const ports = testPorts();
  const runTask = createRunTask({ agents: orchestration.agents, connectAgent, ports });
  const { result } = await collectRun(runOrchestration({ orchestration, ports, runTask }));
  expect(result.status).toBe('completed');
  return asked;
}

test('a person asked for approval is told which team, task and agent asks', async () => {
  expect(await whoAsks([{ name: 'fix', agent: 'Doer@v2' }])).toEqual([
    { team: 'review', task: 'fix', agent_name: 'Doer', agent_version: 'v2' },
  ]);
});

test('an agent that the plan of a task calls is named beside the task', async () => {
  expect(await whoAsks([{ name: 'lead', agent: 'Boss@v1' }])).toEqual([
    { team: 'review', task: 'lead', agent_name: 'Doer', agent_version: 'v2' },
  ]);
});
