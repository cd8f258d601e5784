import { createAgentFactory } from '../../../core/agent/load/agentFactory.js';
import { runAgent } from '../../../core/agent/runAgent.js';
import type { RunRequest } from '../../../core/agent/types.js';
import type { JsonObject } from '../../../core/json.js';
import { memoryFiles } from '../../support/memoryFiles.js';
import { type ScriptedAnswer, scriptedModel } from '../../support/scriptedModel.js';
import { type ScriptedTool, scriptedTools } from '../../support/scriptedTools.js';
import { testPorts } from '../../support/testPorts.js';
import { collectRun } from '../collectRun.js';
import { chooser } from '../sampleProject.js';

export interface PlanCase {
  readonly plan: JsonObject;
  readonly payload?: JsonObject;
  /** Fields of the agent that has the plan. */
  readonly agent?: JsonObject;
  /** Answers of its own model. */
  readonly answers?: readonly ScriptedAnswer[];
  readonly tools?: readonly ScriptedTool[];
  /** Other agents by name; `Labels@v1`, which answers `{label, reason}`, is always there. */
  readonly agents?: Readonly<Record<string, JsonObject>>;
  /** What the models of other agents answer, by agent name. */
  readonly models?: Readonly<Record<string, readonly ScriptedAnswer[]>>;
  readonly options?: Partial<RunRequest>;
}

/** A run of `Plan@v1` that has not begun, with all it works with. */
export async function preparePlan({
  plan,
  payload = { title: 'It crashes' },
  agent = {},
  answers = [],
  tools = [],
  agents = {},
  models = {},
  options = {},
}: PlanCase) {
  const all: Readonly<Record<string, JsonObject>> = {
    Plan: { agent_type: 'orchestrating', system_text: 'You help.', model_name: 'gpt-4.1-mini', execution_plan: plan, ...agent },
    Labels: chooser,
    ...agents,
  };
  const files = memoryFiles({
    'agentstack.json': JSON.stringify({
      skills: Object.fromEntries(tools.map(({ name }) => [name, { description: `The tool ${name}.` }])),
    }),
    ...Object.fromEntries(
      Object.entries(all).map(([name, fields]) => [
        `config/agents/${name}/v1.json`,
        JSON.stringify({ agent_name: name, version: 'v1', ...fields }, null, 2),
      ]),
    ),
  });
  const ports = testPorts();
  const factory = createAgentFactory({ ports: { ...ports, files, environment: { get: () => undefined } } });
  const loaded = await factory.load('Plan', 'v1');
  const model = scriptedModel(...answers);
  const others = new Map(Object.keys(all).map((name) => [name, scriptedModel(...(models[name] ?? []))]));
  const { seen, openTools } = scriptedTools(...tools);
  const request: RunRequest = {
    agent: loaded,
    payload,
    llm: model,
    ports,
    openTools,
    connectAgent: ({ resolved }) => ({ llm: others.get(resolved.config.agent_name)!, openTools }),
    ...options,
  };
  return { request, run: runAgent(request), model, others, seen, ports, agent: loaded };
}

export async function planRun(given: PlanCase) {
  const { run, ...rest } = await preparePlan(given);
  return { ...rest, ...(await collectRun(run)) };
}

export const good = '{"label": "bug", "reason": "it crashes"}';
export const says = (text: string): ScriptedAnswer => ({ chunks: [text.slice(0, 7), text.slice(7)].filter((piece) => piece !== '') });
