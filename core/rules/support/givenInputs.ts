import { findAgent } from '../../config/agentReference.js';
import type { ConfigFile } from '../../config/configFile.js';
import { knownTools } from '../../config/knownTools.js';
import { mayFollowPlan } from '../../config/mayFollowPlan.js';
import { tasksIn, teamsIn } from '../../config/orchestrationParts.js';
import { namesOf } from '../../config/toolChoice.js';
import { isObject, type Json, listOf } from '../../json.js';
import type { EffectiveAgent } from '../../snapshot/effective.js';
import { instanceOf } from '../../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import type { RuleContext } from '../rule.js';
import { forLastFile } from './forLastFile.js';
import { findGiven, type Given, layersOf } from './layers.js';

/** An agent or tool, as far as its input goes. */
export interface Taker extends Pick<EffectiveAgent, 'agent_name' | 'version' | 'input_keys' | 'input_schema'> {
  /** As a message names it. */
  readonly title: string;
}

/** An input that a file writes down for an agent or tool. */
export interface GivenInput {
  readonly value: Json;
  readonly pointer: string;
  /** What it is for, of an agent the newest version first: one of them has to take it. Never empty. */
  readonly takers: readonly Taker[];
  /** Whether its texts are templates. */
  readonly isTemplate: boolean;
  /** The plan that contains it, if that is in another file. Default: the checked file contains it. */
  readonly plan?: Given;
}

/** The inputs in a payload, in the tasks of an orchestration and in the plan of an agent, as far as their agents can be read. */
export const givenInputs = forLastFile((file: ConfigFile, context: RuleContext): readonly GivenInput[] => {
  switch (file.identity.kind) {
    case 'payload':
      return ofPayload(file, context);
    case 'orchestration':
      return ofTasks(file, context);
    case 'agent':
      return ofSteps(file, context);
    default:
      return [];
  }
});

function ofPayload({ identity, value }: ConfigFile, context: RuleContext): readonly GivenInput[] {
  const { agent: name } = identity;
  if (!isObject(value) || name === undefined) return [];
  const inputs = [
    { value: value.input, pointer: '/input' },
    ...listOf(value.cases).map((one, index) => ({ value: isObject(one) ? one.input : undefined, pointer: `/cases/${index}/input` })),
  ].flatMap(({ value: input, pointer }) => (input === undefined ? [] : [{ value: input, pointer }]));
  if (inputs.length === 0) return [];
  const files = [...context.project.versions(name)].reverse().map((version) => context.agent(name, version));
  // A version that cannot be read may take anything.
  if (files.length === 0 || files.some((file) => !isObject(file?.value))) return [];
  const takers = files.flatMap((file) => (file === undefined ? [] : [ofAgent(context.effective(file).config)]));
  return inputs.map((input) => ({ ...input, takers, isTemplate: false }));
}

function ofTasks(file: ConfigFile, context: RuleContext): readonly GivenInput[] {
  const tasks = teamsIn(file.value).flatMap(tasksIn);
  if (tasks.every(({ value }) => value.input === undefined)) return [];
  const { agents } = context.orchestration(file);
  return tasks.flatMap(({ team, name, value, pointer }) => {
    const agent = name === undefined ? undefined : agents.get(instanceOf(team, name));
    if (agent === undefined || value.input === undefined) return [];
    return [{ value: value.input, pointer: `${pointer}/input`, takers: [ofAgent(agent.config)], isTemplate: true }];
  });
}

/** An agent that a step runs is as it is in its file: a plan overrides nothing. */
function ofSteps(file: ConfigFile, context: RuleContext): readonly GivenInput[] {
  const stack = mayFollowPlan(file.value, context.project) ? layersOf(file, context) : undefined;
  const plan = stack && findGiven(stack, 'execution_plan');
  if (plan === undefined || !isObject(plan.value)) return [];
  const caller = context.effective(file);
  if (caller.config.agent_type !== 'orchestrating') return [];
  const called = context.called(caller);
  return listOf(plan.value.steps).flatMap((step, index) => {
    if (!isObject(step) || step.input === undefined) return [];
    const agent = typeof step.agent === 'string' ? called.get(findAgent(context.project, step.agent)?.id ?? '') : undefined;
    const taker = agent === undefined ? ofSkill(step.skill, caller, context) : ofAgent(agent.config);
    if (taker === undefined) return [];
    return [{ value: step.input, pointer: `${plan.pointer}/steps/${index}/input`, takers: [taker], isTemplate: true, plan }];
  });
}

function ofAgent(config: EffectiveAgent): Taker {
  return { ...config, title: `${config.agent_name}@${config.version}` };
}

/** A tool by its parameters; undefined where it is not known without starting something. */
function ofSkill(skill: Json | undefined, { config }: ResolvedAgent, { project }: RuleContext): Taker | undefined {
  const { tools, isWhole } = knownTools(project, config.client_ids ?? []);
  const tool = isWhole ? tools.filter((one) => namesOf({ name: one.name, tool: one }).includes(String(skill))) : [];
  const [only] = tool;
  if (typeof skill !== 'string' || only === undefined || tool.length > 1) return undefined;
  return { agent_name: skill, version: '', title: `The skill ${JSON.stringify(skill)}`, input_schema: only.parameters };
}
