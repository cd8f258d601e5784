import type { RoutingRule } from '../../generated/types.js';
import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { parseTemplate } from '../../prompt/template.js';
import { type FrozenOrchestration, type FrozenTask, type FrozenTeam, instanceOf } from '../../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import { listed, quoted } from '../../words.js';
import { contextSchemaOf } from '../inputSchemaOf.js';
import { isTitle, type Note, propertiesOf, property, toAgent } from './toAgent.js';

/** A task with its nodes: what runs, and what names it. */
interface Step {
  readonly id: string;
  readonly task: FrozenTask;
  readonly agent: JsonObject;
}

/** Where a team goes next by the value of one output, and otherwise. */
interface Branching {
  readonly task: string;
  readonly field: string;
  /** By value, the team. */
  readonly mapping: ReadonlyMap<string, string | null>;
}

const startId = '@start';
const reference = (id: string): JsonObject => ({ $component_ref: id });

/**
 * An orchestration as a flow: the tasks of each team one after the other, and a `BranchingNode` where rules compare one output with texts. Undefined,
 * with the reason as a note, where it cannot be one.
 */
export function toFlow(
  name: string,
  frozen: FrozenOrchestration,
  agents: ReadonlyMap<string, ResolvedAgent>,
  note: Note,
): JsonObject | undefined {
  const refuse = (why: string) => {
    note(`${name} cannot be a flow: ${why}`);
    return undefined;
  };
  const reached = new Set([frozen.entry_team, ...teamsAfter(frozen, frozen.entry_team)]);
  const teams = Object.entries(frozen.teams).filter(([id]) => reached.has(id));
  const isSingle = teams.length === 1;
  const start = propertiesOf(contextSchemaOf(frozen)).map(([key, value]): JsonObject => {
    const fallback = Object.hasOwn(frozen.context, key) ? frozen.context[key] : undefined;
    return { ...property(key, value, note), ...(fallback !== undefined && { default: fallback }) };
  });
  const illegal = start.flatMap(({ title }) => (isTitle(String(title)) ? [] : [title ?? '']));
  if (illegal.length > 0)
    return refuse(`${listed(illegal)} of its context cannot be a name there, which has no blanks, quotes, braces, "." and ",".`);
  const nodes = new Map<string, JsonObject>();
  const parts = new Map<string, JsonObject>();
  const control: JsonObject[] = [];
  const data: JsonObject[] = [];
  const addNode = (id: string, node: JsonObject) => void nodes.set(id, { ...node, id });
  const follow = (from: string, to: string, from_branch?: string) =>
    control.push({
      component_type: 'ControlFlowEdge',
      id: `control-${control.length + 1}`,
      name: `${from} to ${to}`,
      from_node: reference(from),
      ...(from_branch !== undefined && { from_branch }),
      to_node: reference(to),
    });
  const connect = (from: string, source_output: string, to: string, destination_input: string) =>
    data.push({
      component_type: 'DataFlowEdge',
      id: `data-${data.length + 1}`,
      name: `${from}.${source_output} to ${to}.${destination_input}`,
      source_node: reference(from),
      source_output,
      destination_node: reference(to),
      destination_input,
    });

  addNode(startId, { component_type: 'StartNode', name: 'start', inputs: start, outputs: start });
  const lines = new Map<string, { readonly steps: readonly Step[]; readonly branching: Branching | undefined }>();
  for (const [id, team] of teams) {
    const branching = branchingOf(team);
    if (branching === 'none')
      return refuse(
        `the routing of ${quoted(id)} has no counterpart. Rules can be exported that compare one output of a task with texts, without context_updates, beside a default. Export its agents one by one.`,
      );
    const tasks = inOrder(team.tasks);
    if (tasks.some(({ depends_on = [] }, index) => index > 0 && depends_on.length === 0))
      note(`The tasks of ${name} run one after the other there.`);
    const steps: Step[] = [];
    for (const task of tasks) {
      const nodeId = isSingle ? task.name : `${id}.${task.name}`;
      const resolved = agents.get(instanceOf(id, task.name));
      const agent = resolved && toAgent(resolved, `${nodeId}.agent`, note);
      if (agent === undefined) return refuse(`the task ${quoted(task.name)} has no agent that can be exported.`);
      const inputs = filledInputs(task, agent, start, steps, (source, output, input) => connect(source, output, nodeId, input));
      const unfilled = inputs.flatMap(({ title, value }) => (value === undefined ? [title] : []));
      if (unfilled.length > 0)
        return refuse(
          `${listed(unfilled)} of the task ${quoted(task.name)} is not one field of the context or of an earlier answer, as data edges carry it.`,
        );
      const whole = { ...agent, inputs: inputs.map(({ value }) => value ?? {}) };
      steps.push({ id: nodeId, task, agent: whole });
      parts.set(String(agent.id), whole);
      const outputs = agent.outputs ?? [];
      addNode(nodeId, { component_type: 'AgentNode', name: task.name, agent: reference(String(agent.id)), inputs: whole.inputs, outputs });
    }
    lines.set(id, { steps, branching });
  }

  const ends: (readonly JsonObject[])[] = [];
  for (const [id, team] of teams) {
    const { steps = [], branching } = lines.get(id) ?? {};
    const last = steps.at(-1);
    if (last === undefined) return refuse(`the team ${quoted(id)} has no tasks.`);
    steps.slice(1).forEach((step, index) => void follow(steps[index]?.id ?? '', step.id));
    const toTeam = (next: string | null): string => {
      const first = next === null ? undefined : lines.get(next)?.steps[0]?.id;
      if (first !== undefined) return first;
      const end = isSingle ? '@end' : `@end.${id}`;
      if (!nodes.has(end)) {
        const outputs = listOf(last.agent.outputs).filter(isObject);
        ends.push(outputs);
        addNode(end, { component_type: 'EndNode', name: 'end', inputs: outputs as Json[], outputs: outputs as Json[] });
        for (const { title } of outputs) connect(last.id, String(title), end, String(title));
      }
      return end;
    };
    const otherwise = toTeam(team.routing.default ?? null);
    if (branching === undefined) {
      follow(last.id, otherwise);
      continue;
    }
    const { task, field, mapping } = branching as Branching;
    const source = steps.find((step) => step.task.name === task);
    const output = listOf(source?.agent.outputs).find((part) => isObject(part) && part.title === field);
    if (source === undefined || !isObject(output) || output.type !== 'string')
      return refuse(`${quoted(field)}, by which ${quoted(id)} chooses the next team, is not a text that its task ${quoted(task)} returns.`);
    const node = `${id}.@route`;
    const branches = [...new Set([...mapping.values()].map(branchName))];
    addNode(node, {
      component_type: 'BranchingNode',
      name: `after ${id}`,
      inputs: [output],
      branches: ['default', ...branches],
      mapping: Object.fromEntries([...mapping].map(([value, next]) => [value, branchName(next)])),
    });
    connect(source.id, field, node, field);
    follow(last.id, node);
    follow(node, otherwise, 'default');
    for (const next of new Set(mapping.values())) follow(node, toTeam(next), branchName(next));
  }
  const entry = lines.get(frozen.entry_team)?.steps[0];
  if (entry === undefined) return refuse('it has no first team.');
  if (ends.length === 0) return refuse('it has no end: each team is followed by another one.');
  follow(startId, entry.id);
  if (teams.some(([id]) => teamsAfter(frozen, id).has(id))) note(`Teams of ${name} can run again: there, nothing limits how often.`);
  const [outputs = []] = ends;
  const common = outputs.filter((output) => ends.every((other) => other.some((part) => JSON.stringify(part) === JSON.stringify(output))));
  if (ends.some((other) => other.length > common.length))
    note(`Outputs of ${name} that not every last team has are no outputs of the flow.`);
  return {
    component_type: 'Flow',
    id: name,
    name,
    inputs: start,
    outputs: common,
    start_node: reference(startId),
    nodes: [...nodes.keys()].map(reference),
    control_flow_connections: control,
    data_flow_connections: data,
    $referenced_components: Object.fromEntries([...nodes, ...parts]),
  };
}

const branchName = (team: string | null) => (team === null ? 'end' : `to ${team}`);

/** What the rules of a team compare; undefined for a team without rules, `none` where a `BranchingNode` cannot. */
function branchingOf({ routing: { rules = [], default: otherwise } }: FrozenTeam): Branching | undefined | 'none' {
  if (rules.length === 0) return undefined;
  const tests = rules.map(equalityOf);
  const [first] = tests;
  // Without a default, a run that no rule takes fails, which no branch says.
  if (first === undefined || otherwise === undefined) return 'none';
  const mapping = new Map<string, string | null>();
  for (const test of tests) {
    if (test === undefined || test.task !== first.task || test.field !== first.field) return 'none';
    if (!mapping.has(test.value)) mapping.set(test.value, test.next);
  }
  return { task: first.task, field: first.field, mapping };
}

function equalityOf({ condition, next_team, context_updates = {} }: RoutingRule) {
  const terms = Array.isArray(condition) ? condition : [condition];
  const [only] = terms;
  if (terms.length !== 1 || !isObject(only) || Object.keys(context_updates).length > 0) return undefined;
  const { task, output_field, operator, value, ...others } = only;
  const isEquality = operator === 'equals' && Object.keys(others).length === 0;
  if (!isEquality || typeof task !== 'string' || typeof output_field !== 'string' || typeof value !== 'string') return undefined;
  return { task, field: output_field, value, next: next_team };
}

/** The teams that can follow a team, directly or after others; itself only if it can run again. */
function teamsAfter({ teams }: FrozenOrchestration, team: string): ReadonlySet<string> {
  const next = (id: string) => {
    const { rules = [], default: otherwise = null } = teams[id]?.routing ?? {};
    return [...rules.map(({ next_team }) => next_team), otherwise].filter((other) => other !== null);
  };
  const reached = new Set(next(team));
  for (const id of reached) for (const further of next(id)) reached.add(further);
  return reached;
}

/** The inputs of a task's agent, with their constant as the default; `value` is undefined for an input that nothing fills. */
function filledInputs(
  { input }: FrozenTask,
  agent: JsonObject,
  start: readonly JsonObject[],
  steps: readonly Step[],
  connect: (source: string, output: string, input: string) => void,
): readonly { readonly title: string; readonly value: JsonObject | undefined }[] {
  return listOf(agent.inputs)
    .filter(isObject)
    .map((declared) => {
      const title = String(declared.title);
      const value = isObject(input) && Object.hasOwn(input, title) ? input[title] : undefined;
      const path = pathIn(input === undefined ? `{{context.${title}}}` : value);
      const source = path && sourceOf(path, start, steps);
      if (source) connect(...source, title);
      else if (value !== undefined && path === undefined && !JSON.stringify(value).includes('{{'))
        return { title, value: { ...declared, default: value } };
      else return { title, value: undefined };
      return { title, value: declared };
    });
}

/** Each task after those that it depends on. */
function inOrder(tasks: readonly FrozenTask[]): readonly FrozenTask[] {
  const done: FrozenTask[] = [];
  while (done.length < tasks.length) {
    const next = tasks.find(
      (task) => !done.includes(task) && (task.depends_on ?? []).every((name) => done.some((other) => other.name === name)),
    );
    if (next === undefined) return tasks;
    done.push(next);
  }
  return done;
}

/** The segments of a text that is one path; undefined for anything else. */
function pathIn(value: Json | undefined): readonly string[] | undefined {
  const parts = typeof value === 'string' ? parseTemplate(value).parts : [];
  const [only] = parts;
  return parts.length === 1 && only !== undefined && typeof only !== 'string' ? only.segments : undefined;
}

/** The node and the output that a path names. */
function sourceOf(
  [root, first, kind, field, ...deeper]: readonly string[],
  start: readonly JsonObject[],
  steps: readonly Step[],
): readonly [string, string] | undefined {
  if (root === 'context' && kind === undefined) return start.some(({ title }) => title === first) ? [startId, first ?? ''] : undefined;
  const step = root === 'tasks' && kind === 'output' && deeper.length === 0 ? steps.find(({ task }) => task.name === first) : undefined;
  const has = listOf(step?.agent.outputs).some((output) => isObject(output) && output.title === field);
  return step !== undefined && has ? [step.id, field ?? ''] : undefined;
}
