import type { ConfigFile } from '../../config/configFile.js';
import { conditionsIn, type TaskPart, type TeamPart, tasksIn, teamsIn } from '../../config/orchestrationParts.js';
import type { RelatedPlace } from '../../finding.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../json.js';
import type { ProverTools } from '../../routing/prover/choiceContext.js';
import { proveRouting, type RoutingProof } from '../../routing/prover/proveRouting.js';
import type { TaskContract } from '../../routing/prover/routingModel.js';
import { createTeamGraph, type TeamGraph } from '../../routing/teamGraph.js';
import { fitsSimply } from '../../schema/simpleSchema.js';
import type { EffectiveAgent } from '../../snapshot/effective.js';
import { type FrozenOrchestration, instanceOf } from '../../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { findSetting, type Layers } from './layers.js';
import { taskLayersOf } from './taskLayers.js';

/** The output contract of a task's effective agent, and where it is written. */
export interface Contract {
  readonly output_schema: JsonObject;
  readonly defaults: JsonObject | undefined;
  /** Place of the schema. */
  readonly file: string;
  readonly pointer: string;
  /** The output is a text answer: `output_schema` is made up, and the place is that of the prompt. */
  readonly isText?: true;
}

/** The proof about a team's routing. */
export interface TeamProof {
  readonly team: TeamPart;
  readonly proof: RoutingProof;
  /** By task name; tasks that may yield anything are left out. */
  readonly contracts: ReadonlyMap<string, Contract>;
  /** Whether one of the rule's comparisons has a fault: then only that is reported, not what follows from it. */
  readonly isFaulty: (rule: number) => boolean;
}

const contractsByTeam = forLastFile((file: ConfigFile, context: RuleContext) => {
  const mayHoldPlaceholders = mayHoldPlaceholder(file);
  return teamsIn(file.value).flatMap((team) => {
    const tests = conditionsIn(team);
    // A comparison with a `${VAR}` is decided only in a run.
    if (mayHoldPlaceholders && JSON.stringify(tests.map(({ value }) => value)).includes('${')) return [];
    const named = new Set(tests.flatMap(({ value, task }) => (value.output_field === undefined || task === undefined ? [] : [task.name])));
    return [
      {
        team,
        contracts: contractsOf(file, tasksIn(team), named, context),
        hasPatterns: tests.some(({ value }) => value.operator === 'matches'),
      },
    ];
  });
});

/** The proofs of all teams of an orchestration, computed once for all rules. Teams whose conditions contain a `${VAR}` are left out. */
export const teamProofsOf = forLastFile((file: ConfigFile, context: RuleContext): readonly TeamProof[] =>
  contractsByTeam(file, context).map(({ team, contracts }) => {
    const proof = proveRouting(team.value, contracts, { schemas: context.schemas, patterns: context.patterns });
    return { team, proof, contracts, isFaulty: faultyRules(proof) };
  }),
);

/** Whether the proofs depend on more than simple schemas: the prover decides less without the compiler. */
export function needsProverTools(file: ConfigFile, context: RuleContext): boolean {
  return contractsByTeam(file, context).some(
    ({ contracts, hasPatterns }) =>
      hasPatterns || [...contracts.values()].some(({ output_schema }) => fitsSimply(output_schema, null) === undefined),
  );
}

/** The place of a field in a task's output schema, following `properties` as far as possible. */
export function schemaPlace({ output_schema, file, pointer }: Contract, path: readonly string[], message: string): RelatedPlace {
  let at = '';
  for (const segment of path) {
    const inner = `${at}${pointerOf('properties', segment)}`;
    if (valueAt(output_schema, inner) === undefined) break;
    at = inner;
  }
  return { file, pointer: pointer + at, target: 'key', message };
}

/** The contracts of the tasks in `named`, those that conditions refer to. */
export function contractsOf(
  file: ConfigFile,
  tasks: readonly TaskPart[],
  named: ReadonlySet<string>,
  context: RuleContext,
): ReadonlyMap<string, Contract> {
  const contracts = new Map<string, Contract>();
  const seen = new Set<string>();
  for (const task of tasks) {
    if (task.name === undefined) continue;
    // A name that two tasks share is ambiguous.
    if (seen.has(task.name)) contracts.delete(task.name);
    else if (named.has(task.name)) {
      const layers = taskLayersOf(file, task, context);
      const contract = layers && contractIn(layers, { ...textContract, file: file.path, pointer: task.pointer });
      if (contract !== undefined) contracts.set(task.name, contract);
    }
    seen.add(task.name);
  }
  return contracts;
}

/** The contract that an agent's layers give; undefined where only a run knows it. @param text the contract of a text answer */
export function contractIn(layers: Layers, text: Contract): Contract | undefined {
  const schema = findSetting(layers, 'output_schema');
  if (schema === undefined) return answersInText(layers) ? text : undefined;
  const { value, fragment, pointer } = schema;
  if (!isObject(value) || fragment.file === null || JSON.stringify(value).includes('${')) return undefined;
  const defaults = findSetting(layers, 'defaults')?.value;
  return { output_schema: value, defaults: isObject(defaults) ? defaults : undefined, file: fragment.file, pointer };
}

/** The contract of a text answer, which has no fields. */
export const textContract = { output_schema: { type: 'string' }, defaults: undefined, isText: true } as const;

/** Whether an agent has no output schema, so its answer is a text. The result of a plan may be anything, and a Final Answer may be an object. */
function answersInText(layers: Layers): boolean {
  const type = findSetting(layers, 'agent_type')?.value ?? 'single_shot';
  if (type !== 'single_shot' && (type !== 'react' || findSetting(layers, 'tool_protocol')?.value === 'text')) return false;
  return layers.fragments.every(({ value }) => !isObject(value) || (value.output_schema ?? null) === null);
}

function mayHoldPlaceholder({ text }: ConfigFile): boolean {
  return text.includes('${') || text.includes('\\u');
}

/**
 * The routes between the teams of an orchestration, without those of rules proven to match nothing. Where rules are proven to match
 * everything, no run ends without a route.
 */
export const teamGraphOf = forLastFile(
  (file: ConfigFile, context: RuleContext): TeamGraph =>
    graphOfProofs(
      file.value ?? null,
      teamProofsOf(file, context).map(({ team, proof, isFaulty }) => ({ team: team.id, proof, isFaulty })),
    ),
);

/** The same of a frozen orchestration, whose agents have their contracts. Values of `${VAR}` that were not known are text in it. */
export function frozenGraph(
  frozen: FrozenOrchestration,
  agents: ReadonlyMap<string, Pick<ResolvedAgent, 'config'>>,
  tools: ProverTools,
): TeamGraph {
  const proofs = Object.entries(frozen.teams).flatMap(([team, value]): readonly GraphProof[] => {
    if (JSON.stringify(value.routing).includes('${')) return [];
    const contracts = new Map<string, TaskContract>();
    for (const { name } of value.tasks) {
      const config = agents.get(instanceOf(team, name))?.config;
      const contract = config && contractOf(config);
      if (contract !== undefined && !JSON.stringify(contract).includes('${')) contracts.set(name, contract);
    }
    // A snapshot is JSON by construction.
    const proof = proveRouting(value as unknown as Json, contracts, tools);
    return [{ team, proof, isFaulty: faultyRules(proof) }];
  });
  return graphOfProofs(frozen as unknown as Json, proofs);
}

/** What a frozen agent may answer; undefined where it may be anything. A text has no fields. */
export function contractOf({ agent_type, tool_protocol, output_schema, defaults }: EffectiveAgent): TaskContract | undefined {
  if (output_schema !== undefined) return { output_schema, defaults };
  return agent_type === 'single_shot' || (agent_type === 'react' && tool_protocol !== 'text') ? textContract : undefined;
}

interface GraphProof extends Pick<TeamProof, 'proof' | 'isFaulty'> {
  readonly team: string;
}

function graphOfProofs(orchestration: Json, proofs: readonly GraphProof[]): TeamGraph {
  const dead = new Set<string>();
  const exhaustive = new Set<string>();
  for (const { team, proof, isFaulty } of proofs) {
    if (proof.coverage.verdict === 'exhaustive') exhaustive.add(team);
    // A fault in a condition is reported at the condition; its consequences are not.
    for (const [rule, { verdict }] of proof.rules.entries()) if (verdict !== 'possible' && !isFaulty(rule)) dead.add(`${rule} ${team}`);
  }
  const graph = createTeamGraph(orchestration, (team, rule) => dead.has(`${rule} ${team}`));
  return { ...graph, open: new Set([...graph.open].filter((team) => !exhaustive.has(team))) };
}

function faultyRules(proof: RoutingProof): TeamProof['isFaulty'] {
  const faulty = new Set(proof.faults.map(({ pointer }) => pointer.split('/', 4).join('/')));
  return (rule) => faulty.has(`/routing/rules/${rule}`);
}

/** Whether a `${VAR}` decides about a route, so that the routes are unknown. */
export function hasUnknownRoutes({ entry, edges }: TeamGraph): boolean {
  return entry?.includes('${') === true || edges.some(({ to }) => to?.includes('${') === true);
}
