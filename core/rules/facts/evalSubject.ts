import { findAgent } from '../../config/agentReference.js';
import { argumentsIn, expectationsIn, subjectKeyOf } from '../../config/caseParts.js';
import type { ConfigFile } from '../../config/configFile.js';
import { type TeamPart, tasksIn, teamsIn } from '../../config/orchestrationParts.js';
import { isObject, type JsonObject, listOf } from '../../json.js';
import { argumentsSchema, callsSchema, runContract } from '../../routing/prover/proveExpectations.js';
import { provenParts } from '../../routing/readExpectation.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { findSetting, layersOf } from './layers.js';
import { type Contract, contractIn, contractsOf, textContract } from './routingProofs.js';
import { findToolUse } from './toolUse.js';

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

/** The names by which an agent calls its tools; undefined where some are unknown. */
export function toolsOf({ kind, file }: EvalSubject, context: RuleContext): readonly string[] | undefined {
  const layers = kind === 'agent' ? layersOf(file, context) : undefined;
  if (layers === undefined) return undefined;
  const type = findSetting(layers, 'agent_type')?.value ?? 'single_shot';
  if (type !== 'react') return type === 'single_shot' ? [] : undefined;
  const use = findToolUse(file, context);
  if (use !== undefined) return use.isWhole ? use.choice.chosen.map(({ name }) => name) : undefined;
  const mayHaveTools = ['client_ids', 'enabled_tools'].some((field) => findSetting(layers, field) !== undefined);
  return mayHaveTools ? undefined : [];
}

/** The schema of a tool's arguments, if the tool is known; `name` is the name the agent calls it by. */
export function parametersOf(name: string, { kind, file }: EvalSubject, context: RuleContext): JsonObject | undefined {
  const use = kind === 'agent' ? findToolUse(file, context) : undefined;
  return use?.choice.chosen.find((chosen) => chosen.name === name)?.tool.parameters;
}

/** Whether an expectation of a payload has a pattern. */
export function hasPatterns(file: ConfigFile): boolean {
  return expectationsIn(file.value)
    .flatMap((part) => [part, ...argumentsIn(part)])
    .some(({ value }) => value.operator === 'matches' && subjectKeyOf(value) !== undefined);
}
