import { findAgent } from '../../config/agentReference.js';
import { argumentsIn, expectationsIn, subjectKeyOf } from '../../config/caseParts.js';
import type { ConfigFile } from '../../config/configFile.js';
import type { KnownTool } from '../../config/knownTools.js';
import { type TeamPart, tasksIn, teamsIn } from '../../config/orchestrationParts.js';
import type { ChosenTool } from '../../config/toolChoice.js';
import { isObject, type JsonObject, listOf } from '../../json.js';
import { argumentsSchema, callsSchema, runContract } from '../../routing/prover/proveExpectations.js';
import { provenParts } from '../../routing/readExpectation.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { findSetting, type Layers, layersOf } from './layers.js';
import { type Contract, contractIn, contractsOf, textContract } from './routingProofs.js';
import { taskLayersOf } from './taskLayers.js';
import { toolUseIn } from './toolUse.js';

/** The subject that a payload runs: the newest version of its agent, or its orchestration. */
export interface EvalSubject {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** As a message names it. */
  readonly title: string;
  readonly file: ConfigFile & { readonly value: JsonObject };
  /** The teams of an orchestration; empty for an agent. */
  readonly teams: readonly TeamPart[];
}

/** The facts by which the expectations of a payload are judged. */
export interface EvalScope extends EvalSubject {
  /** By `provenParts`. Parts that may have any value are left out. */
  readonly contracts: ReadonlyMap<string, Partial<Contract> & Pick<Contract, 'output_schema'>>;
  /** Existing judges that expectations name, by the reference as written. */
  readonly judges: ReadonlyMap<string, ConfigFile>;
}

/** Undefined where there is no such agent or orchestration, or it cannot be read. An agent has precedence over an orchestration of the same name. */
export function findEvalSubject({ identity }: Pick<ConfigFile, 'identity'>, context: RuleContext): EvalSubject | undefined {
  const { kind, agent: name } = identity;
  if (kind !== 'payload' || name === undefined) return undefined;
  const target = findAgent(context.project, name);
  const file = target === undefined ? context.orchestrationFile(name) : context.agent(target.name, target.version);
  if (file === undefined || !isObject(file.value)) return undefined;
  const common = { name, file: { ...file, value: file.value } };
  if (target !== undefined) return { ...common, kind: 'agent', title: target.id, teams: [] };
  return { ...common, kind: 'orchestration', title: name, teams: teamsIn(file.value) };
}

/** The subject with the contracts of everything that the expectations of a payload refer to. */
export const evalScopeOf = forLastFile((file: ConfigFile, context: RuleContext): EvalScope | undefined => {
  const subject = findEvalSubject(file, context);
  if (subject === undefined) return undefined;
  const contracts = new Map<string, Partial<Contract> & Pick<Contract, 'output_schema'>>();
  const judges = new Map<string, ConfigFile>();
  const tools = new Set<string>();
  const tasks = new Set<string>();
  for (const { value } of expectationsIn(file.value)) {
    const { judge, tool, task } = value;
    if (typeof judge === 'string' && !judges.has(judge)) {
      const target = findAgent(context.project, judge);
      const agent = target && context.agent(target.name, target.version);
      if (agent !== undefined && isObject(agent.value)) judges.set(judge, agent);
    } else if (typeof tool === 'string') {
      tools.add(tool);
      if (value.arguments === undefined) continue;
      contracts.set(provenParts.calls(value), { output_schema: callsSchema });
      const parameters = parametersOf(tool, subject, context);
      const output_schema = parameters && argumentsSchema(parameters);
      if (output_schema !== undefined) contracts.set(provenParts.call(value), { output_schema });
    } else if (typeof task === 'string') tasks.add(task);
    else for (const name of listOf(value.tools_in_order)) if (typeof name === 'string') tools.add(name);
  }
  const put = (part: string, contract: Contract | undefined) => {
    if (contract !== undefined) contracts.set(part, contract);
  };
  for (const [reference, judge] of judges) put(provenParts.judge(reference), agentContractOf(judge, context));
  if (subject.kind === 'agent') put(provenParts.answer, agentContractOf(subject.file, context));
  else {
    contracts.set(provenParts.answer, { output_schema: orchestrationOutput });
    const all = subject.teams.flatMap(tasksIn);
    for (const [name, contract] of contractsOf(subject.file, all, tasks, context)) put(provenParts.task(name), contract);
  }
  contracts.set(provenParts.text, { output_schema: textOutput });
  const { output_schema = {} } = runContract(
    [...tools],
    subject.teams.map(({ id }) => id),
    mostCallsOf(subject, context),
  );
  contracts.set(provenParts.run, { output_schema });
  return { ...subject, contracts, judges };
});

const textOutput: JsonObject = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

const orchestrationOutput: JsonObject = {
  type: 'object',
  properties: { teams: { type: 'array' }, context: { type: 'object', additionalProperties: true } },
  required: ['teams', 'context'],
  additionalProperties: false,
};

/**
 * The contract of an agent's answer; a text answer has no fields. Undefined where only a run decides: for a plan, and for a Final
 * Answer, which may be an object.
 */
export function agentContractOf(file: ConfigFile, context: RuleContext): Contract | undefined {
  const layers = layersOf(file, context);
  return layers && contractIn(layers, { ...textContract, output_schema: { type: 'null' }, file: file.path, pointer: '' });
}

/** The most model calls that a run of an agent makes; undefined for plans and orchestrations, and where only a run decides. */
function mostCallsOf({ kind, file }: EvalSubject, context: RuleContext): number | undefined {
  const layers = kind === 'agent' ? layersOf(file, context) : undefined;
  if (layers === undefined) return undefined;
  const type = findSetting(layers, 'agent_type')?.value ?? 'single_shot';
  const limit = type === 'react' ? findSetting(layers, 'max_iterations')?.value : (findSetting(layers, 'retry_invalid')?.value ?? 0);
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0) return undefined;
  return type === 'react' ? limit : type === 'single_shot' ? 1 + limit : undefined;
}

/** The names by which an agent, or the tasks of an orchestration, call their tools; undefined where some are unknown. */
export function toolsOf(subject: EvalSubject, context: RuleContext): readonly string[] | undefined {
  const names = new Set<string>();
  for (const layers of callersIn(subject, context)) {
    const tools = layers && toolsIn(layers, context);
    if (tools?.isWhole !== true) return undefined;
    for (const { name } of tools.chosen) names.add(name);
  }
  return [...names];
}

/** The tools that are known, whether or not there are others. */
export function knownToolsOf(subject: EvalSubject, context: RuleContext): readonly ChosenTool<KnownTool>[] {
  return callersIn(subject, context).flatMap((layers) => (layers === undefined ? [] : toolsIn(layers, context).chosen));
}

/**
 * The schema of a tool's arguments, if the tool is known; `name` is the name the agent calls it by. Undefined for two tools of one name that differ.
 */
export function parametersOf(name: string, subject: EvalSubject, context: RuleContext): JsonObject | undefined {
  const parameters = knownToolsOf(subject, context).flatMap((chosen) => (chosen.name === name ? [chosen.tool.parameters] : []));
  const [first] = parameters;
  return parameters.every((other) => JSON.stringify(other) === JSON.stringify(first)) ? first : undefined;
}

/** The layers of all that may call tools in a run; undefined where they depend on a variable or a missing file. */
function callersIn({ kind, file, teams }: EvalSubject, context: RuleContext): readonly (Layers | undefined)[] {
  return kind === 'agent' ? [layersOf(file, context)] : teams.flatMap(tasksIn).map((task) => taskLayersOf(file, task, context));
}

function toolsIn(layers: Layers, context: RuleContext): { readonly chosen: readonly ChosenTool<KnownTool>[]; readonly isWhole: boolean } {
  const type = findSetting(layers, 'agent_type')?.value ?? 'single_shot';
  // The agents that a plan calls may call tools of their own.
  if (type !== 'react') return { chosen: [], isWhole: type === 'single_shot' };
  const use = toolUseIn(layers, context);
  if (use !== undefined) return { chosen: use.choice.chosen, isWhole: use.isWhole };
  return { chosen: [], isWhole: ['client_ids', 'enabled_tools'].every((field) => findSetting(layers, field) === undefined) };
}

/** Whether an expectation of a payload has a pattern. */
export function hasPatterns(file: ConfigFile): boolean {
  return expectationsIn(file.value)
    .flatMap((part) => [part, ...argumentsIn(part)])
    .some(({ value }) => value.operator === 'matches' && subjectKeyOf(value) !== undefined);
}
