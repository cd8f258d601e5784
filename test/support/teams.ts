import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import type { Agent, ConnectAgent } from '../../core/agent/types.js';
import type { DurableSteps } from '../../core/durable.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import type { LlmClient } from '../../core/llm/types.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import { resolveOrchestration } from '../../core/snapshot/resolveOrchestration.js';
import { type FrozenOrchestration, instanceOf } from '../../core/snapshot/snapshotValue.js';
import { createRunTask } from '../../core/team/createRunTask.js';
import { orchestrationOfSnapshot } from '../../core/team/orchestrationOfSnapshot.js';
import { runOrchestration } from '../../core/team/runOrchestration.js';
import type { Orchestration, OrchestrationRequest, RunTask } from '../../core/team/types.js';
import { indexOf, sha256 } from '../snapshot/support.js';
import { type ScriptedAnswer, scriptedModel } from './scriptedModel.js';
import { testPorts } from './testPorts.js';

/** An agent that may answer with any object. */
const worker = {
  agent_name: 'Worker',
  version: 'v1',
  mode: 'Writer',
  system_text: 'You work.',
  purpose_text: 'Do the work.',
  output_schema: { type: 'object' },
  model_name: 'gpt-4.1-mini',
};

const schemas = await loadSchemaCompiler();

/** An orchestration as its file has it, frozen. Tasks that say no agent are done by `Worker@v1`. `files`: others, by name under `config/`. */
export function freezeTeams(orchestration: JsonObject, files: { readonly [name: string]: Json } = {}): Orchestration {
  const all = { 'agents/Worker/v1': worker, ...files };
  const value = withAgents({ name: 'work', entry_team: 'a', ...orchestration });
  const name = `orchestrations/${value.name}`;
  const agents = new Map(
    Object.entries(all).flatMap(([name, file]) => {
      const [kind, agent, version] = name.split('/');
      return kind === 'agents' ? [[`${agent}@${version}`, { path: `config/${name}.json`, value: file as JsonObject }] as const] : [];
    }),
  );
  const resolved = resolveOrchestration({
    file: { path: `config/${name}.json`, value },
    project: indexOf({ [name]: value, ...all }),
    agents,
    variables: { get: () => undefined },
  });
  const snapshot = createSnapshot({ kind: 'orchestration', resolved, sha256 });
  return orchestrationOfSnapshot(snapshot, schemas)!;
}

const anyAgent = [...freezeTeams({ teams: { a: { tasks: [{ name: 'x' }], routing: { default: null } } } }).agents.values()][0]!;

/** The same made by hand, thousands in a second: what is frozen, with one agent for every task. */
export function handMade({
  name = 'work',
  ...rest
}: Partial<FrozenOrchestration> & Pick<FrozenOrchestration, 'teams'> & { name?: string }): Orchestration {
  const frozen: FrozenOrchestration = { entry_team: 'a', max_total_teams: 30, max_recursion_depth: 5, context: {}, ...rest };
  const { snapshot } = anyAgent;
  const instances = Object.entries(frozen.teams).flatMap(([team, { tasks }]) => tasks.map((task) => instanceOf(team, task.name)));
  return {
    frozen,
    snapshot: { ...snapshot, value: { ...snapshot.value, name, orchestration: frozen }, origins_text: '{}' },
    agents: new Map(instances.map((instance) => [instance, anyAgent])),
    checkInput: () => [],
  };
}

function withAgents(orchestration: JsonObject): JsonObject {
  const teams = Object.entries(orchestration.teams as JsonObject).map(([id, team]) => {
    const { tasks, ...rest } = team as { readonly tasks: readonly JsonObject[] } & JsonObject;
    return [
      id,
      {
        name: id,
        ...rest,
        tasks: tasks.map((task) => ('persona_key' in task || 'agent' in task ? task : { agent: 'Worker@v1', ...task })),
      },
    ];
  });
  return { ...orchestration, teams: Object.fromEntries(teams) };
}

/** What a task answers, each time it is done: its output, or an answer of the scripted model. */
export type TaskScript = readonly (JsonObject | ScriptedAnswer)[];

/** A model for each instance. What no script names answers `{}` for ever. */
export function scriptedConnections(agents: ReadonlyMap<string, Agent>, script: { readonly [instance: string]: TaskScript } = {}) {
  const models = new Map<Agent, LlmClient & { readonly requests: readonly unknown[] }>();
  for (const [instance, agent] of agents) {
    const answers = Object.hasOwn(script, instance) ? script[instance]! : Array.from({ length: 1000 }, () => ({}));
    models.set(agent, scriptedModel(...answers.map(toAnswer)));
  }
  const connectAgent: ConnectAgent = (agent) => ({ llm: models.get(agent)! });
  return { connectAgent, asked: (instance: string) => models.get(agents.get(instance)!)!.requests.length };
}

function toAnswer(answer: JsonObject | ScriptedAnswer): ScriptedAnswer {
  return 'chunks' in answer && Array.isArray(answer.chunks) ? (answer as ScriptedAnswer) : { chunks: [JSON.stringify(answer)] };
}

export interface TeamRunOptions extends Partial<Omit<OrchestrationRequest, 'orchestration'>> {
  /** Keep what tasks do. */
  readonly steps?: DurableSteps;
  readonly script?: { readonly [instance: string]: TaskScript };
  readonly files?: { readonly [name: string]: Json };
}

/** A run that has not begun. */
export function prepareTeams(orchestration: JsonObject | Orchestration, { script, files, steps, ...request }: TeamRunOptions = {}) {
  const frozen =
    'snapshot' in orchestration && isObject(orchestration.frozen)
      ? (orchestration as Orchestration)
      : freezeTeams(orchestration as JsonObject, files);
  const ports = testPorts();
  const { connectAgent, asked } = scriptedConnections(frozen.agents, script);
  const runTask = createRunTask({ agents: frozen.agents, connectAgent, ports, steps });
  return {
    orchestration: frozen,
    ports,
    asked,
    request: { orchestration: frozen, ports, runTask, ...request } satisfies OrchestrationRequest,
  };
}

/** A run's events, unread. */
export function teamRun(
  orchestration: JsonObject | Orchestration,
  options: TeamRunOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  return runOrchestration(prepareTeams(orchestration, options).request);
}

/** Tasks that need no agent: what `outputs` says of a task is its output, undefined its failure. */
export function instantTasks(orchestration: Orchestration, outputs: (call: Parameters<RunTask>[0]) => Json | undefined): RunTask {
  return async (call) => plainResult(orchestration.agents.get(call.instance)!, outputs(call));
}

export function plainResult(agent: Agent, output: Json | undefined): RunResult {
  const { config, llm } = agent.resolved;
  const failed = output === undefined;
  return {
    run_id: '0'.repeat(32),
    success: !failed,
    status: failed ? 'failed' : 'completed',
    output: output ?? null,
    text: '',
    error: failed ? { code: 'llm', message: 'The model is away.', details: { reason: 'server', attempts: 1 }, recoverable: true } : null,
    conversation: [],
    final_response: null,
    tool_uses_in_final_turn: [],
    tool_calls: [],
    source_documents: [],
    reasoning: { steps: [], decision: '', smoothness: failed ? 0 : 1, confidence: failed ? 0 : 1 },
    metadata: {
      agent_name: config.agent_name,
      agent_version: config.version,
      provider: llm.provider,
      model_name: config.model_name ?? null,
      execution_time_ms: 1,
      iterations: 1,
      tools_used: [],
      token_usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3, cached_tokens: 0 },
      estimated_cost_usd: 0.25,
      snapshot_hash: agent.snapshot.hash,
      snapshot_path: null,
      trace_id: 't',
      correlation_id: 'c',
      repairs: [],
      simulated: false,
      left_out: [],
    },
  };
}

/** Events in short, a line each, without those of model turns: `team_start a 1`, `task_end a/x completed`, `route a 0 -> b`. */
export function draw(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case 'team_start':
        return [`team_start ${event.team} ${event.execution}`];
      case 'task_start':
        return [`task_start ${event.team}/${event.task}`];
      case 'task_end':
        return [`task_end ${event.team}/${event.task} ${event.status}`];
      case 'route':
        return [`route ${event.team} ${event.rule ?? 'default'} -> ${event.next_team ?? 'end'}`];
      case 'team_end':
        return [`team_end ${event.team}`];
      case 'final':
        return [`final ${event.result.status}${event.result.error ? ` ${event.result.error.code}` : ''}`];
      default:
        return [];
    }
  });
}
