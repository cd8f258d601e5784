import { findAgent } from '../config/agentReference.js';
import { casesIn, turnsIn } from '../config/caseParts.js';
import type { ConfigFile } from '../config/configFile.js';
import { knownTools } from '../config/knownTools.js';
import { mayFollowPlan } from '../config/mayFollowPlan.js';
import { tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { namesOf } from '../config/toolChoice.js';
import { ConfigInvalidError, type Issue } from '../errors.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf, segmentsOf, valueAt } from '../json.js';
import { parentPointer } from '../jsonText/locate.js';
import { didYouMean, nearestNames } from '../names.js';
import { conversationFault, createPayloadCheck, teamConversationFault } from '../prompt/payloadCheck.js';
import { messageOf } from '../schema/ajvMessages.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import { mergePatch } from '../snapshot/mergePatch.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import { quoted } from '../words.js';
import { findSetting, layersOf, placeOf, type Setting } from './facts/layers.js';
import { findOpenPlaces, isCertain, judgesEachPlace } from './facts/openPlaces.js';
import { forLastFile } from './forLastFile.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A payload, or the input of a task or step, that its agent or skill refuses. A run makes the same check. Where the input has templates,
 * only faults that no value can fix are reported. A payload belongs to every version of its agent, so one version that accepts it is
 * enough.
 */
export const inputInvalid: Rule = {
  code: 'input-invalid',
  severity: 'error',
  kinds: ['payload', 'orchestration', 'agent'],
  on: 'value',
  needsSchemas: (file, context) => givenInputs(file, context).some(({ takers }) => takers.some(hasRequirements)),
  check(file, context, report) {
    reportWrongKeys(file, context, report);
    reportTurns(file, context, report);
    const { schemas } = context;
    if (schemas === undefined) return;
    for (const input of givenInputs(file, context)) {
      const [newest, ...older] = input.takers;
      if (newest === undefined) continue;
      const issues = issuesOf(input, newest, schemas);
      if (issues.length === 0 || older.some((agent) => issuesOf(input, agent, schemas).length === 0)) continue;
      reportIssues(issues, input, newest, inFile(file, input, report));
    }
  },
};

/** The payload of an agent has its input under `input`, that of an orchestration under `context`. */
function reportWrongKeys({ identity, value }: ConfigFile, ruleContext: RuleContext, report: Report): void {
  const { project } = ruleContext;
  const { kind, agent: name } = identity;
  if (kind !== 'payload' || name === undefined) return;
  const isAgent = project.versions(name).length > 0;
  if (!isAgent && !project.ids('orchestration').has(name)) return;
  const [key, wrong] = isAgent ? ['input', 'context'] : ['context', 'input'];
  for (const part of casesIn(value)) {
    const { input, context, expect, turns } = part.value;
    // A case without "expect" is reported by the schema.
    if (isAgent && turns === undefined && expect !== undefined && input === undefined && context === undefined)
      report({
        pointer: part.pointer,
        message: `${name} is an agent, and this case gives it no input. Add "input".`,
        data: { agent: name, missing: 'input', value: sampleInput(name, ruleContext) },
      });
    if (part.value[wrong] === undefined || part.value[key] !== undefined) continue;
    const what = isAgent ? 'an agent' : 'an orchestration';
    const message = `${name} is ${what}, so its input belongs under ${quoted(key)}. Rename the key.`;
    report({ pointer: `${part.pointer}/${wrong}`, target: 'key', message, data: { agent: name, replacement: key } });
  }
}

/** Turns for an agent that remembers none. A payload belongs to every version of its agent, so one that remembers is enough. */
function reportTurns(file: ConfigFile, context: RuleContext, report: Report): void {
  const { kind, agent: name } = file.identity;
  const talks = casesIn(file.value).filter(({ value }) => Array.isArray(value.turns));
  if (kind !== 'payload' || name === undefined || talks.length === 0) return;
  const agents = takersOf(name, context);
  const isOrchestration = context.project.versions(name).length === 0 && context.project.ids('orchestration').has(name);
  const faults = agents.map((agent) => conversationFault(agent.title, agent));
  const fault = isOrchestration ? teamConversationFault(name) : faults.includes(undefined) ? undefined : faults[0];
  if (fault === undefined) return;
  for (const { value, pointer } of talks)
    if (isOrchestration || listOf(value.turns).length > 1)
      report({ pointer: `${pointer}/turns`, target: 'key', message: fault, data: { agent: name } });
}

/** A fault in the plan of a persona is reported where the agent names the persona, and has its fix in the persona. */
function inFile(file: ConfigFile, { plan }: GivenInput, report: Report): Report {
  if (plan === undefined || plan.fragment.file === file.path) return report;
  return ({ pointer, message }) => report({ ...placeOf(file, { ...plan, pointer }, 'The input is given here.'), message });
}

function hasRequirements({ input_keys, input_schema }: Taker): boolean {
  return (input_keys ?? []).length > 0 || input_schema !== undefined;
}

function issuesOf({ value, isTemplate }: GivenInput, agent: Taker, schemas: SchemaCompiler): readonly Issue[] {
  const open = isTemplate ? findOpenPlaces(value) : new Map();
  // The whole input is a template.
  if (open.has('')) return [];
  const isSure = open.size === 0 || judgesEachPlace(agent.input_schema);
  try {
    const issues = createPayloadCheck(agent, schemas)(value);
    return issues.filter((issue) => (isSure ? isCertain(issue, open) : issue.keyword === 'input_keys'));
  } catch (error) {
    // output-schema-invalid reports the fault of the schema.
    if (error instanceof ConfigInvalidError) return [];
    throw error;
  }
}

function reportIssues(issues: readonly Issue[], input: GivenInput, agent: Taker, report: Report): void {
  const missing = missingKeys(input.value, agent);
  const unknown = unknownKeys(input.value, agent);
  const misspelt = new Set<string>();
  for (const key of missing) {
    const [candidate] = nearestNames(key, unknown);
    if (candidate !== undefined) misspelt.add(pointerOf(candidate));
    reportMissing(key, candidate, input, agent, report);
  }
  const reported = new Set(missing.map((missingProperty) => messageOf('required', { missingProperty })));
  for (const issue of issues) {
    const isReported = issue.keyword === 'input_keys' || misspelt.has(issue.path) || (issue.path === '' && reported.has(issue.message));
    if (!isReported) reportIssue(issue, input, agent.title, report);
  }
}

function reportIssue({ path, keyword, message, allowed }: Issue, { value, pointer }: GivenInput, agent: string, report: Report): void {
  const isExtra = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
  report({
    pointer: placeIn(value, pointer, path),
    ...(isExtra && { target: 'key' }),
    message: `${agent} refuses this input: ${message.endsWith('.') ? message : `${quoted(segmentsOf(path).at(-1) ?? 'it')} ${message}.`}`,
    data: { agent, keyword, ...(allowed && { allowed }) },
  });
}

/** Reports a missing key, at the key that is probably a misspelling of it. */
function reportMissing(missing: string, candidate: string | undefined, { pointer }: GivenInput, agent: Taker, report: Report): void {
  const id = agent.title;
  const fault = `${id} needs the key ${quoted(missing)}`;
  if (candidate !== undefined) {
    const message = `${fault}, and nothing uses ${quoted(candidate)}.${didYouMean([missing])}`;
    report({ pointer: pointer + pointerOf(candidate), target: 'key', message, data: { agent: id, missing, replacement: missing } });
    return;
  }
  report({
    pointer,
    target: 'key',
    message: `${fault}, which is missing here.`,
    data: { agent: id, missing, value: sampleOf(missing, agent) },
  });
}

/** Missing keys that the agent requires by name, those of its schema's root included. */
function missingKeys(value: Json, { input_keys = [], input_schema }: Taker): readonly string[] {
  if (!isObject(value)) return [];
  const required = listOf(input_schema?.required).filter((key): key is string => typeof key === 'string');
  return [...new Set([...input_keys, ...required])].filter((key) => !Object.hasOwn(value, key));
}

/** The pointer in the file; for something missing, that of the value around it. */
function placeIn(value: Json, pointer: string, path: string): string {
  let place = path;
  while (place !== '' && valueAt(value, place) === undefined) place = parentPointer(place) ?? '';
  return pointer + place;
}

function unknownKeys(value: Json, { input_keys = [], input_schema }: Taker): readonly string[] {
  const properties = input_schema?.properties;
  const declaredKeys = new Set([...input_keys, ...(isObject(properties) ? Object.keys(properties) : [])]);
  return isObject(value) ? Object.keys(value).filter((key) => !declaredKeys.has(key)) : [];
}

/** A sample value for a missing key, for the author to replace. */
function sampleOf(key: string, { input_schema }: Taker): Json {
  const schema = isObject(input_schema?.properties) ? input_schema.properties[key] : undefined;
  if (!isObject(schema)) return '';
  const [example] = [schema.default, schema.const, ...listOf(schema.enum), ...listOf(schema.examples)].filter(
    (candidate) => candidate !== undefined,
  );
  if (example !== undefined) return example;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const byType: Readonly<Record<string, Json>> = {
    object: {},
    array: [],
    number: schema.minimum ?? 0,
    integer: schema.minimum ?? 0,
    boolean: false,
  };
  return typeof type === 'string' && Object.hasOwn(byType, type) ? (byType[type] ?? '') : '';
}

/** What the newest version of an agent needs, as far as it can be read. */
function sampleInput(name: string, context: RuleContext): JsonObject {
  const file = context.agent(name, context.project.versions(name).at(-1) ?? '');
  if (!isObject(file?.value)) return {};
  const taker = agentTaker(context.effective(file).config);
  return Object.fromEntries(missingKeys({}, taker).map((key) => [key, sampleOf(key, taker)]));
}

/** An agent or tool that takes an input. */
interface Taker
  extends Pick<EffectiveAgent, 'agent_name' | 'version' | 'input_keys' | 'input_schema'>,
    Partial<Pick<EffectiveAgent, 'agent_type' | 'include_history'>> {
  /** As a message names it. */
  readonly title: string;
}

/** An input that a file gives to an agent or tool. */
interface GivenInput {
  readonly value: Json;
  readonly pointer: string;
  /** The agents or tools that get it, the newest version of an agent first: one of them has to accept it. Never empty. */
  readonly takers: readonly Taker[];
  /** Whether its texts are templates. */
  readonly isTemplate: boolean;
  /** The plan that contains it, if that is in another file. Default: the checked file contains it. */
  readonly plan?: Setting;
}

/** The inputs in a payload, in the tasks of an orchestration and in the plan of an agent, if their agents can be read. */
const givenInputs = forLastFile((file: ConfigFile, context: RuleContext): readonly GivenInput[] => {
  switch (file.identity.kind) {
    case 'payload':
      return payloadInputs(file, context);
    case 'orchestration':
      return taskInputs(file, context);
    case 'agent':
      return stepInputs(file, context);
    default:
      return [];
  }
});

function payloadInputs({ identity, value }: ConfigFile, context: RuleContext): readonly GivenInput[] {
  const { agent: name } = identity;
  if (!isObject(value) || name === undefined) return [];
  const inputs = [{ value, pointer: '' }, ...casesIn(value).flatMap(turnsIn)].flatMap(({ value: { input }, pointer }) =>
    input === undefined ? [] : [{ value: input, pointer: `${pointer}/input` }],
  );
  const takers = inputs.length === 0 ? [] : takersOf(name, context);
  if (takers.length === 0) return contextInputs(name, value, context);
  return [...new Map(inputs.map((input) => [input.pointer, { ...input, takers, isTemplate: false }])).values()];
}

/** The inputs of an orchestration in its cases, over its context. */
function contextInputs(name: string, value: JsonObject, context: RuleContext): readonly GivenInput[] {
  const cases = [{ value, pointer: '' }, ...casesIn(value)].filter(({ value: given }) => given.context !== undefined);
  const file = cases.length === 0 || context.project.versions(name).length > 0 ? undefined : context.orchestrationFile(name);
  if (!isObject(file?.value)) return [];
  const { input_keys, input_schema, context: defaults = {} } = file.value;
  const taker: Taker = {
    agent_name: name,
    version: '',
    title: name,
    ...(Array.isArray(input_keys) && { input_keys: input_keys.filter((key) => typeof key === 'string') }),
    ...(isObject(input_schema) && { input_schema }),
  };
  const places = new Map(cases.map((given) => [given.pointer, given]));
  return [...places.values()].map(({ value: { context: given = {} }, pointer }) => ({
    value: isObject(given) ? mergePatch(defaults, given) : given,
    pointer: `${pointer}/context`,
    takers: [taker],
    isTemplate: false,
  }));
}

/** The versions of an agent, the newest first; none if one cannot be read, which might accept anything. */
function takersOf(name: string, context: RuleContext): readonly Taker[] {
  const files = [...context.project.versions(name)].reverse().map((version) => context.agent(name, version));
  if (files.some((file) => !isObject(file?.value))) return [];
  return files.flatMap((file) => (file === undefined ? [] : [agentTaker(context.effective(file).config)]));
}

function taskInputs(file: ConfigFile, context: RuleContext): readonly GivenInput[] {
  const tasks = teamsIn(file.value).flatMap(tasksIn);
  if (tasks.every(({ value }) => value.input === undefined)) return [];
  const { agents } = context.orchestration(file);
  return tasks.flatMap(({ team, name, value, pointer }) => {
    const agent = name === undefined ? undefined : agents.get(instanceOf(team, name));
    if (agent === undefined || value.input === undefined) return [];
    return [{ value: value.input, pointer: `${pointer}/input`, takers: [agentTaker(agent.config)], isTemplate: true }];
  });
}

/** A step runs an agent as in its file: a plan overrides nothing. */
function stepInputs(file: ConfigFile, context: RuleContext): readonly GivenInput[] {
  const stack = mayFollowPlan(file.value, context.project) ? layersOf(file, context) : undefined;
  const plan = stack && findSetting(stack, 'execution_plan');
  if (plan === undefined || !isObject(plan.value)) return [];
  const caller = context.effective(file);
  if (caller.config.agent_type !== 'orchestrating') return [];
  const called = context.called(caller);
  return listOf(plan.value.steps).flatMap((step, index) => {
    if (!isObject(step) || step.input === undefined) return [];
    const agent = typeof step.agent === 'string' ? called.get(findAgent(context.project, step.agent)?.id ?? '') : undefined;
    const taker = agent === undefined ? skillTaker(step.skill, caller, context) : agentTaker(agent.config);
    if (taker === undefined) return [];
    return [{ value: step.input, pointer: `${plan.pointer}/steps/${index}/input`, takers: [taker], isTemplate: true, plan }];
  });
}

function agentTaker(config: EffectiveAgent): Taker {
  return { ...config, title: `${config.agent_name}@${config.version}` };
}

/** A tool by its parameters; undefined where it is unknown until a server starts. */
function skillTaker(skill: Json | undefined, { config }: ResolvedAgent, { project }: RuleContext): Taker | undefined {
  const { tools, isWhole } = knownTools(project, config.client_ids ?? []);
  const matching = isWhole ? tools.filter((candidate) => namesOf({ name: candidate.name, tool: candidate }).includes(String(skill))) : [];
  const [tool] = matching;
  if (typeof skill !== 'string' || tool === undefined || matching.length > 1) return undefined;
  return { agent_name: skill, version: '', title: `The skill ${JSON.stringify(skill)}`, input_schema: tool.parameters };
}
