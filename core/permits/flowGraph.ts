import type { PlanStep } from '../generated/types.js';
import { isObject, type Json, listOf } from '../json.js';
import { templatesOf, userTemplateOf } from '../prompt/agentTemplates.js';
import { findTemplatePaths } from '../prompt/template.js';
import { doneBefore, waitsOf } from '../routing/taskWaits.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import { isClosedAt, isNoObjectAt } from './closedAt.js';
import { sessionStore, storesOf } from './stores.js';
import { namesIn, type PermitSubject, type PermittedAgent, type SubjectTool, toolsOf } from './subject.js';

/** Something through which data passes. */
export type FlowNode = { readonly subject: string } & (
  | { readonly type: 'answer' | 'call'; readonly tool: SubjectTool }
  /** All that the model of an agent reads. */
  | { readonly type: 'reads'; readonly instance: string }
  /** A value that an agent is given. */
  | { readonly type: 'payload'; readonly instance: string; readonly key: string }
  /** Text in the output of an agent, at the path where it is read. */
  | { readonly type: 'output'; readonly instance: string; readonly path: readonly string[] }
  /** The answer to a prompt of a plan. */
  | { readonly type: 'step'; readonly instance: string; readonly step: string }
  | { readonly type: 'context'; readonly team: string; readonly key: string }
  /** What lasts from one run to the next: the data of a server, the files of the project, the sessions. */
  | { readonly type: 'store'; readonly store: string }
);

/** `isSure` is false where it depends on labels that nobody has given. */
interface FlowEdge {
  readonly to: string;
  readonly isSure: boolean;
}

/** A tool of a subject. */
export interface GraphTool extends SubjectTool {
  readonly subject: string;
}

/** Where data may go in the runs of some subjects. */
export interface FlowGraph {
  readonly nodes: ReadonlyMap<string, FlowNode>;
  readonly edges: ReadonlyMap<string, readonly FlowEdge[]>;
  /** The same edges by their ends; `to` is where they begin. */
  readonly back: ReadonlyMap<string, readonly FlowEdge[]>;
  /** Whether no edge depends on labels that nobody has given. */
  readonly isSure: boolean;
  readonly tools: readonly GraphTool[];
  /** The names of agents, by the node of what they read. */
  readonly agents: ReadonlyMap<string, string>;
  /** Places where a contract lets no text through, each once. */
  readonly held: readonly { readonly subject: string; readonly instance: string; readonly path: readonly string[] }[];
}

type Write = (to: string, from: readonly string[], isSure?: boolean) => void;

/**
 * The graph of all that may flow from tools to tools: by what models read and answer, payloads, outputs of tasks and steps, the context of
 * orchestrations along the routes that may be taken, and what servers, files and sessions keep. It follows data, not decisions: which route is taken
 * carries nothing. What callers send is not a source.
 */
export function createFlowGraph(subjects: readonly PermitSubject[]): FlowGraph {
  const nodes = new Map<string, FlowNode>();
  const edges = new Map<string, FlowEdge[]>();
  const back = new Map<string, FlowEdge[]>();
  const tools: GraphTool[] = [];
  const agents = new Map<string, string>();
  const held = new Map<string, FlowGraph['held'][number]>();
  const add = (node: FlowNode): string => {
    const id = idOf(node);
    if (!nodes.has(id)) nodes.set(id, node);
    return id;
  };
  const link = (all: Map<string, FlowEdge[]>, from: string, edge: FlowEdge) => {
    const list = all.get(from);
    if (list) list.push(edge);
    else all.set(from, [edge]);
  };
  let isAllSure = true;
  const write: Write = (to, from, isSure = true) => {
    if (!isSure) isAllSure = false;
    for (const each of from) {
      link(edges, each, { to, isSure });
      link(back, to, { to: each, isSure });
    }
  };

  for (const subject of subjects) addSubject(subject);
  linkStores();
  return { nodes, edges, back, isSure: isAllSure, tools, agents, held: [...held.values()] };

  function addSubject(subject: PermitSubject): void {
    const id = subjectId(subject);
    const byInstance = new Map([...subject.agents].map(([instance, agent]) => [instance, toolsOf(instance, agent)]));
    for (const all of byInstance.values()) tools.push(...all.map((tool) => ({ ...tool, subject: id })));
    const toolNode = (type: 'answer' | 'call', tool: SubjectTool) => add({ type, subject: id, tool });
    // An answer may repeat what the call was given.
    for (const tool of [...byInstance.values()].flat()) if (!computes(tool)) write(toolNode('answer', tool), [toolNode('call', tool)]);

    for (const [instance, agent] of subject.agents) {
      agents.set(idOf({ type: 'reads', subject: id, instance }), agent.config.agent_name);
      const agentTools = byInstance.get(instance) ?? [];
      if (agent.config.agent_type === 'orchestrating') addPlan(instance, agent, agentTools);
      else addModel(instance, agent, agentTools);
    }
    if (subject.teams !== undefined) addTeams(subject.teams);

    function addModel(instance: string, { config }: PermittedAgent, own: readonly SubjectTool[]): void {
      const reads = add({ type: 'reads', subject: id, instance });
      for (const tool of own) {
        write(reads, [toolNode('answer', tool)]);
        write(toolNode('call', tool), [reads]);
      }
      // Tasks and agents that a plan calls have no session.
      if (config.include_history !== true || subject.kind !== 'agent' || instance !== subject.name) return;
      const session = add({ type: 'store', subject: '', store: sessionStore });
      write(session, [reads]);
      write(reads, [session]);
    }

    /** Gives an agent its payload; without a template, all of `whole`. */
    function give(instance: string, template: Json | undefined, scope: Scope, whole: readonly string[]): void {
      const keys = isObject(template) ? Object.keys(template) : [anyKey];
      for (const key of keys) {
        const from = template === undefined ? whole : nodesOf(isObject(template) ? (template[key] ?? null) : template, scope);
        const payload = add({ type: 'payload', subject: id, instance, key });
        write(payload, from);
        const config = subject.agents.get(instance)?.config;
        if (config !== undefined && config.agent_type !== 'orchestrating' && readsKey(config, key))
          write(add({ type: 'reads', subject: id, instance }), [payload]);
      }
    }

    function addPlan(instance: string, { config }: PermittedAgent, own: readonly SubjectTool[]): void {
      // The schema of plans has been checked; what does not fit it is left out of what runs.
      const steps = listOf(config.execution_plan?.steps).filter(isObject) as unknown as readonly PlanStep[];
      const payload = planScope(instance, [], own)(['input']);
      for (const [index, { name, skill, agent, llm, input, repeat }] of steps.entries()) {
        // A step reads those before it, and itself where it is repeated.
        const scope = planScope(instance, steps.slice(0, repeat === undefined ? index : index + 1), own);
        if (skill !== undefined) {
          const from = input === undefined ? payload : nodesOf(input as Json, scope);
          for (const tool of toolsNamed(own, skill)) write(toolNode('call', tool), from);
        } else if (agent !== undefined) give(agent, input as Json | undefined, scope, payload);
        else if (llm !== undefined) {
          // The system text of a template may hold the payload.
          const given = config.template === undefined ? [] : payload;
          write(add({ type: 'step', subject: id, instance, step: name }), [...nodesOf(llm, scope), ...given]);
        }
      }
    }

    function planScope(instance: string, steps: readonly PlanStep[], own: readonly SubjectTool[]): Scope {
      return ([root, ...path]) => {
        if (root === 'input') return payloadNodes(instance, path[0]);
        const [name, , ...rest] = path;
        const read = root !== 'steps' ? [] : name === undefined ? steps : steps.filter((each) => each.name === name);
        return read.flatMap(({ name: step, skill, agent, llm }) => {
          if (skill !== undefined) return toolsNamed(own, skill).map((tool) => toolNode('answer', tool));
          if (agent !== undefined) return outputNodes(agent, rest);
          return llm === undefined ? [] : [add({ type: 'step', subject: id, instance, step })];
        });
      };
    }

    /** Payloads may be read before they are given, so their nodes exist for every key that a template gives. */
    function payloadNodes(instance: string, key: string | undefined): readonly string[] {
      const keys = key === undefined ? [anyKey, ...keysGiven(instance)] : [anyKey, key];
      return [...new Set(keys)].map((each) => add({ type: 'payload', subject: id, instance, key: each }));
    }

    /** The keys of all templates that give an agent its payload. */
    function keysGiven(instance: string): readonly string[] {
      const plans = [...subject.agents.values()].flatMap(({ config }) =>
        listOf(config.execution_plan?.steps).flatMap((step) => (isObject(step) && step.agent === instance ? [step.input] : [])),
      );
      const task = Object.entries(subject.teams?.frozen.teams ?? {}).flatMap(([team, each]) =>
        each.tasks.flatMap(({ name, input }) => (instanceOf(team, name) === instance ? [input] : [])),
      );
      return [...plans, ...task].flatMap((template) => (isObject(template) ? Object.keys(template) : []));
    }

    /** The text in the output of an agent at a path: none where its contract lets no text through. */
    function outputNodes(instance: string, path: readonly string[]): readonly string[] {
      const agent = subject.agents.get(instance);
      if (agent === undefined) return [];
      const { output_schema, agent_type, execution_plan } = agent.config;
      if (isObject(output_schema) && isClosedAt(output_schema, path)) {
        held.set(JSON.stringify([id, instance, path]), { subject: id, instance, path });
        return [];
      }
      // Plans that take their outputs from each other could lengthen a path for ever.
      const output = { type: 'output', subject: id, instance, path: path.slice(0, longestPath) } as const;
      if (nodes.has(idOf(output))) return [idOf(output)];
      const node = add(output);
      if (agent_type !== 'orchestrating') write(node, [add({ type: 'reads', subject: id, instance })]);
      else {
        const steps = listOf(execution_plan?.steps).filter(isObject) as unknown as readonly PlanStep[];
        const scope = planScope(instance, steps, byInstance.get(instance) ?? []);
        // By default the last completed step, which may be any of them.
        const whole = () => steps.flatMap(({ name }) => scope(['steps', name, 'output', ...output.path]));
        write(node, execution_plan?.output === undefined ? whole() : nodesAt(execution_plan.output as Json, output.path, scope));
      }
      return [node];
    }

    function addTeams({ frozen, graph }: NonNullable<PermitSubject['teams']>): void {
      const reached = reachedTeams(graph);
      const keys = new Set(Object.keys(frozen.context));
      for (const [, { routing }] of Object.entries(frozen.teams))
        for (const { context_updates } of routing.rules ?? []) for (const key of Object.keys(context_updates ?? {})) keys.add(key);
      const contextNode = (team: string, key: string) => add({ type: 'context', subject: id, team, key });
      const mayBeObject = (value: Json, team: string): boolean => {
        if (typeof value !== 'string') return isObject(value);
        const [root, name = '', , ...rest] = wholePath(value) ?? ['none'];
        const schema = root === 'tasks' ? subject.agents.get(instanceOf(team, name))?.config.output_schema : undefined;
        return root !== 'none' && !(isObject(schema) && isNoObjectAt(schema, rest));
      };
      const scopeOf =
        (team: string, finished: Iterable<string>): Scope =>
        ([root, ...path]) => {
          const [name, , ...rest] = path;
          if (root === 'tasks') {
            return [...finished].flatMap((task) => (name === undefined || name === task ? outputNodes(instanceOf(team, task), rest) : []));
          }
          // `input` is what the caller gave.
          if (root !== 'context') return [];
          return name === undefined ? [...keys].map((key) => contextNode(team, key)) : keys.has(name) ? [contextNode(team, name)] : [];
        };
      for (const [team, { tasks, routing }] of Object.entries(frozen.teams)) {
        if (!reached.has(team)) continue;
        const before = doneBefore(waitsOf(tasks));
        for (const { name, input } of tasks) {
          const scope = scopeOf(team, before.get(name) ?? []);
          give(instanceOf(team, name), input as Json | undefined, scope, scope(['context']));
        }
        const scope = scopeOf(
          team,
          tasks.map(({ name }) => name),
        );
        for (const { from, to, rule } of graph.edges) {
          if (from !== team || to === null) continue;
          const updates = (rule === undefined ? undefined : routing.rules?.[rule]?.context_updates) as Json | undefined;
          for (const key of keys) {
            const value = isObject(updates) && Object.hasOwn(updates, key) ? updates[key] : undefined;
            if (value !== undefined) write(contextNode(to, key), nodesOf(value, scope));
            // A merge patch keeps what an object does not name.
            if (value === undefined || mayBeObject(value, team)) write(contextNode(to, key), [contextNode(team, key)]);
          }
        }
      }
    }
  }

  /** What a tool writes, others may read in this run or a later one. */
  function linkStores(): void {
    for (const { subject, ...tool } of tools) {
      const { writes, reads } = storesOf(tool);
      const storeNode = (store: string) => add({ type: 'store', subject: '', store });
      for (const { store, isSure } of writes) write(storeNode(store), [add({ type: 'call', subject, tool })], isSure);
      for (const { store, isSure } of reads) write(add({ type: 'answer', subject, tool }), [storeNode(store)], isSure);
    }
  }
}

/** The nodes that the value at a path of a template holds. */
type Scope = (segments: readonly string[]) => readonly string[];

const anyKey = '*';
const longestPath = 8;

export function subjectId({ kind, name, version }: Pick<PermitSubject, 'kind' | 'name' | 'version'>): string {
  return kind === 'agent' ? `${name}@${version}` : name;
}

/** No name holds a line break, and a key that does comes last. */
export function idOf(node: FlowNode): string {
  const { type, subject } = node;
  switch (type) {
    case 'answer':
    case 'call':
      return `${type}\n${subject}\n${node.tool.instance}\n${node.tool.id}`;
    case 'reads':
      return `${type}\n${subject}\n${node.instance}`;
    case 'payload':
      return `${type}\n${subject}\n${node.instance}\n${node.key}`;
    case 'output':
      return [type, subject, node.instance, ...node.path].join('\n');
    case 'step':
      return `${type}\n${subject}\n${node.instance}\n${node.step}`;
    case 'context':
      return `${type}\n${subject}\n${node.team}\n${node.key}`;
    case 'store':
      return `${type}\n${node.store}`;
  }
}

/** Whether a model reads this key of its payload: with a template of its own for it, only what that names. */
function readsKey(config: PermittedAgent['config'], key: string): boolean {
  if (key === anyKey || userTemplateOf(config) === undefined) return true;
  return templatesOf(config).some(({ text }) =>
    findTemplatePaths(text).some(({ segments: [, name] }) => name === undefined || name === key),
  );
}

/** Whether its answers are numbers and times, whatever it is given. */
function computes({ name, origin }: SubjectTool): boolean {
  return origin.type === 'built-in' && (name === 'calculator' || name === 'current_time');
}

/** The tool that a plan calls by a name, as a run finds it; where only a run knows all tools, each that it may be. */
function toolsNamed(own: readonly SubjectTool[], skill: string): readonly SubjectTool[] {
  const open = own.filter((tool) => tool.open !== undefined);
  const named = own.filter((tool) => tool.open === undefined && namesIn(tool).includes(skill));
  if (open.length > 0) return [...named, ...open];
  return [named.find(({ name }) => name === skill) ?? named[0]].filter((tool) => tool !== undefined);
}

/** All that a template takes in. */
function nodesOf(template: Json, scope: Scope): readonly string[] {
  if (typeof template === 'string') return findTemplatePaths(template).flatMap(({ segments }) => scope(segments));
  if (typeof template !== 'object' || template === null) return [];
  return Object.values(template).flatMap((part: Json) => nodesOf(part, scope));
}

/** What the value at a path of a template takes in. */
function nodesAt(template: Json, [segment, ...rest]: readonly string[], scope: Scope): readonly string[] {
  if (segment === undefined) return nodesOf(template, scope);
  if (isObject(template)) return Object.hasOwn(template, segment) ? nodesAt(template[segment] as Json, rest, scope) : [];
  if (typeof template !== 'string') return nodesOf(template, scope);
  const path = wholePath(template);
  return path === undefined ? nodesOf(template, scope) : scope([...path, segment, ...rest]);
}

/** The path of a text that is nothing else, and so yields the value itself. */
function wholePath(template: string): readonly string[] | undefined {
  const [path, ...others] = findTemplatePaths(template);
  return path !== undefined && others.length === 0 && path.start === 0 && path.end === template.length ? path.segments : undefined;
}

function reachedTeams({ entry, edges }: Pick<NonNullable<PermitSubject['teams']>['graph'], 'entry' | 'edges'>): ReadonlySet<string> {
  const reached = new Set(entry === undefined ? [] : [entry]);
  // A set grows while it is iterated.
  for (const team of reached) for (const { from, to } of edges) if (from === team && to !== null) reached.add(to);
  return reached;
}
