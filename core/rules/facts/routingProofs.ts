import type { ConfigFile } from '../../config/configFile.js';
import { conditionsIn, type TaskPart, type TeamPart, tasksIn, teamsIn } from '../../config/orchestrationParts.js';
import type { RelatedPlace } from '../../finding.js';
import { isObject, type JsonObject, pointerOf, valueAt } from '../../json.js';
import { proveRouting, type RoutingProof } from '../../routing/prover/proveRouting.js';
import { createTeamGraph, type TeamGraph } from '../../routing/teamGraph.js';
import { fitsSimply } from '../../schema/simpleSchema.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { findGiven, type Layers } from './layers.js';
import { taskLayersOf } from './taskLayers.js';

/** What a task's effective agent promises, and where that is written. */
export interface Contract {
  readonly output_schema: JsonObject;
  readonly defaults: JsonObject | undefined;
  /** Of the schema. */
  readonly file: string;
  readonly pointer: string;
  /** The output is the text of an answer: `output_schema` is ours, and the place is that of the prompt. */
  readonly isText?: true;
}

/** What is proven about a team's routing. */
export interface TeamProof {
  readonly team: TeamPart;
  readonly proof: RoutingProof;
  /** By task name; tasks that may yield anything are not in it. */
  readonly contracts: ReadonlyMap<string, Contract>;
  /** Whether one of the rule's comparisons cannot be meant: then that is said, and not what follows from it. */
  readonly isFaulty: (rule: number) => boolean;
}

const contractsByTeam = forLastFile((file: ConfigFile, context: RuleContext) => {
  const mayHoldPlaceholders = mayHoldPlaceholder(file);
  return teamsIn(file.value).flatMap((team) => {
    const tests = conditionsIn(team);
    // A text with a `${VAR}` is compared with something that only a run knows.
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

/** The proofs of all teams of an orchestration, made once for all rules that ask. Teams whose conditions hold a `${VAR}` are left out. */
export const teamProofsOf = forLastFile((file: ConfigFile, context: RuleContext): readonly TeamProof[] =>
  contractsByTeam(file, context).map(({ team, contracts }) => {
    const proof = proveRouting(team.value, contracts, { schemas: context.schemas, patterns: context.patterns });
    const faulty = new Set(proof.faults.map(({ pointer }) => pointer.split('/', 4).join('/')));
    return { team, proof, contracts, isFaulty: (rule) => faulty.has(`/routing/rules/${rule}`) };
  }),
);

/** Whether the proofs depend on more than simple schemas: the prover decides less without the compiler. */
export function needsProverTools(file: ConfigFile, context: RuleContext): boolean {
  return contractsByTeam(file, context).some(
    ({ contracts, hasPatterns }) =>
      hasPatterns || [...contracts.values()].some(({ output_schema }) => fitsSimply(output_schema, null) === undefined),
  );
}

/** Where a field of a task's output is described, as far as `properties` lead there. */
export function schemaPlace({ output_schema, file, pointer }: Contract, path: readonly string[], message: string): RelatedPlace {
  let at = '';
  for (const segment of path) {
    const inner = `${at}${pointerOf('properties', segment)}`;
    if (valueAt(output_schema, inner) === undefined) break;
    at = inner;
  }
  return { file, pointer: pointer + at, target: 'key', message };
}

/** The contracts of the named tasks. `named`: the tasks that conditions look at. */
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
    // A name that two tasks have does not say which of them is meant.
    if (seen.has(task.name)) contracts.delete(task.name);
    else if (named.has(task.name)) {
      const layers = taskLayersOf(file, task, context);
      const schema = layers && findGiven(layers, 'output_schema');
      const defaults = layers && findGiven(layers, 'defaults')?.value;
      if (isObject(schema?.value) && schema.fragment.file !== null && !JSON.stringify(schema.value).includes('${')) {
        contracts.set(task.name, {
          output_schema: schema.value,
          defaults: isObject(defaults) ? defaults : undefined,
          file: schema.fragment.file,
          pointer: schema.pointer,
        });
      } else if (layers !== undefined && answersInText(layers)) {
        contracts.set(task.name, { ...textContract, file: file.path, pointer: task.pointer });
      }
    }
    seen.add(task.name);
  }
  return contracts;
}

/** What an answer in text promises: a text, which has no fields. */
export const textContract = { output_schema: { type: 'string' }, defaults: undefined, isText: true } as const;

/** Whether an agent has no output schema, so that its answer is a text. What a plan gives may be anything, and a Final Answer may be an object. */
export function answersInText(layers: Layers): boolean {
  const type = findGiven(layers, 'agent_type')?.value ?? 'single_shot';
  if (type !== 'single_shot' && (type !== 'react' || findGiven(layers, 'tool_protocol')?.value === 'text')) return false;
  return layers.fragments.every(({ value }) => !isObject(value) || (value.output_schema ?? null) === null);
}

function mayHoldPlaceholder({ text }: ConfigFile): boolean {
  return text.includes('${') || text.includes('\\u');
}

/**
 * The ways between the teams of an orchestration, without those of rules that are proven to take nothing. Where rules are proven to take
 * everything, a run does not end for want of a route.
 */
export const teamGraphOf = forLastFile((file: ConfigFile, context: RuleContext): TeamGraph => {
  const dead = new Set<string>();
  const exhaustive = new Set<string>();
  for (const { team, proof, isFaulty } of teamProofsOf(file, context)) {
    if (proof.coverage.verdict === 'exhaustive') exhaustive.add(team.id);
    // A mistake in a condition is said where it stands; what it leads to is not.
    for (const [rule, { verdict }] of proof.rules.entries()) if (verdict !== 'possible' && !isFaulty(rule)) dead.add(`${rule} ${team.id}`);
  }
  const graph = createTeamGraph(file.value ?? null, (team, rule) => dead.has(`${rule} ${team}`));
  return { ...graph, open: new Set([...graph.open].filter((team) => !exhaustive.has(team))) };
});

/** Whether a `${VAR}` decides where a run goes, so that nothing is known about the ways. */
export function hasUnknownWays({ entry, edges }: TeamGraph): boolean {
  return entry?.includes('${') === true || edges.some(({ to }) => to?.includes('${') === true);
}
