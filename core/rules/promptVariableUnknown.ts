import type { ConfigFile } from '../config/configFile.js';
import { rulesIn, type TeamPart, tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { isObject, type Json, listOf, pointerOf } from '../json.js';
import { didYouMean, firstNames, nearestNames } from '../names.js';
import { findTemplatePaths } from '../prompt/template.js';
import { OutputContract } from '../schema/outputContract.js';
import { childOf, namesIn, resolved } from '../schema/schemaChild.js';
import { type AgentTemplate, findTemplates } from './facts/agentTexts.js';
import { inputKeysOf, layersOf, placeOf, stringsIn } from './facts/layers.js';
import { stepContracts } from './facts/planProof.js';
import { type Contract, contractsOf } from './facts/routingProofs.js';
import { visitStrings } from './facts/visitStrings.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A `{{path}}` of a prompt template that nothing provides: a path that the prompt's `variables` do not declare, one that begins with neither
 * `input` nor `context`, and, for an agent that uses the template, a key its input does not have; one of a plan that is neither below `input` nor
 * the output of a step; one of a task or route that is neither below `input` or `context` nor the output of a task; and one below an output that
 * its schema does not have. The system_text and user_text of a plain agent are templates too; braces in other texts are plain text.
 */
export const promptVariableUnknown: Rule = {
  code: 'prompt-variable-unknown',
  severity: 'error',
  kinds: ['prompt', 'agent', 'persona', 'orchestration'],
  on: 'value',
  check(file, context, report) {
    const { identity, value } = file;
    if (identity.kind === 'prompt') return checkPrompt(file, report);
    if (identity.kind === 'orchestration') {
      for (const team of teamsIn(value)) checkTeam(team, file, context, report);
      return;
    }
    if (identity.kind === 'agent') checkAgent(file, context, report);
    if (!isObject(value) || value.execution_plan === undefined) return;
    const stack = layersOf(file, context);
    checkPlan(value.execution_plan, '/execution_plan', stack && inputKeysOf(stack), { file, context }, report);
  },
};

/** Templates of a team see the context and the outputs of its tasks. Missing tasks, and tasks not yet done, are reported by task-unknown. */
function checkTeam(team: TeamPart, file: ConfigFile, context: RuleContext, report: Report): void {
  const tasks = tasksIn(team);
  const byName = groupByName(tasks, ({ name }) => name);
  const names = new Set(byName.keys());
  const contracts = cached((name) => contractsOf(file, byName.get(name) ?? [], new Set([name]), context).get(name));
  const faultOf: FaultOf = (segments) => faultOfTeamPath(segments, names) ?? faultOfField('task', segments, names, contracts);
  for (const { value: task, pointer } of tasks) {
    checkTemplates(task.input, `${pointer}/input`, faultOf, report);
    if (isObject(task.config))
      checkPlan(task.config.execution_plan, `${pointer}/config/execution_plan`, undefined, { file, context }, report);
  }
  for (const { value: rule, pointer } of rulesIn(team)) checkTemplates(rule.context_updates, `${pointer}/context_updates`, faultOf, report);
}

/** Templates of a plan see its input and the outputs of its steps. Missing steps are reported by task-unknown. */
function checkPlan(
  plan: Json | undefined,
  at: string,
  keys: ReadonlySet<string> | undefined,
  { file, context }: { readonly file: ConfigFile; readonly context: RuleContext },
  report: Report,
): void {
  if (!isObject(plan)) return;
  const steps = listOf(plan.steps).map((step) => (isObject(step) ? step : {}));
  const parts = steps.map((value, index) => ({ value, pointer: `${at}/steps/${index}` }));
  const byName = groupByName(parts, ({ value: { name } }) => (typeof name === 'string' ? name : undefined));
  const names = new Set(byName.keys());
  const contracts = cached((name) => stepContracts(file, byName.get(name) ?? [], new Set([name]), context).get(name));
  const faultOf: FaultOf = (segments) => faultOfPlanPath(segments, names, keys) ?? faultOfField('step', segments, names, contracts);
  const check = (value: Json | undefined, pointer: string) => checkTemplates(value, pointer, faultOf, report);
  for (const [index, { input, llm }] of steps.entries()) {
    check(input, `${at}/steps/${index}/input`);
    check(llm, `${at}/steps/${index}/llm`);
  }
  check(plan.output, `${at}/output`);
}

interface PathFault {
  readonly reason: string;
  readonly nearest: readonly string[];
  /** An answer may still have the field. */
  readonly isGuess?: boolean;
  /** The task or step whose answer is a text. */
  readonly text?: string;
}

type FaultOf = (segments: readonly string[]) => PathFault | undefined;

function checkTemplates(value: Json | undefined, pointer: string, faultOf: FaultOf, report: Report): void {
  visitStrings(value, (text, half, segments) => {
    if (half === 'key' || !text.includes('{{')) return;
    for (const { path, segments: parts, start, end } of findTemplatePaths(text)) {
      const fault = faultOf(parts);
      if (fault === undefined) continue;
      const { reason, nearest, isGuess, text: textual } = fault;
      report({
        pointer: pointer + pointerOf(...segments()),
        within: { start, end },
        ...(isGuess && { severity: 'warning' }),
        message: `Nothing ${isGuess ? 'promises' : 'provides'} {{${path}}}: ${reason}${didYouMean(nearest)}`,
        data: { path, nearest, start, end, ...(textual !== undefined && { text: textual }) },
      });
    }
  });
}

function faultOfTeamPath([root = '', name, part, ...rest]: readonly string[], tasks: ReadonlySet<string>): PathFault | undefined {
  if (root === 'input' || root === 'context') return undefined;
  if (root === 'tasks') return faultOfOutput('task', tasks, [name, part, ...rest]);
  const below = [name, part, ...rest].filter((segment) => segment !== undefined);
  const reason = 'a path here begins with context, input (the context the run began with) or tasks.<name>.output.';
  if (tasks.has(root))
    return { reason, nearest: [['tasks', root, 'output', ...below.filter((segment) => segment !== 'output')].join('.')] };
  return { reason, nearest: nearestNames(root, ['input', 'context', 'tasks']).map((other) => [other, ...below].join('.')) };
}

/** Of a task or step, templates see only its `output`. */
function faultOfOutput(
  what: 'task' | 'step',
  names: ReadonlySet<string>,
  [name, part, ...rest]: readonly (string | undefined)[],
): PathFault | undefined {
  if (name !== undefined && part === 'output') return undefined;
  const reason = `the output of a ${what} is ${what}s.<name>.output.`;
  if (name === undefined) return { reason, nearest: [...names].map((other) => `${what}s.${other}.output`).slice(0, 3) };
  return { reason, nearest: [[`${what}s`, name, 'output', ...(part === undefined ? [] : [part, ...rest])].join('.')] };
}

/** Returns the contract of a task or step by name. */
type Contracts = (name: string) => Contract | undefined;

function cached(contractOf: Contracts): Contracts {
  const contracts = new Map<string, Contract | undefined>();
  return (name) => {
    if (!contracts.has(name)) contracts.set(name, contractOf(name));
    return contracts.get(name);
  };
}

function groupByName<Part>(parts: readonly Part[], nameOf: (part: Part) => string | undefined): ReadonlyMap<string, readonly Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const name = nameOf(part);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [part]);
    else group.push(part);
  }
  return groups;
}

/** The fault of a path below an output whose schema lacks it. */
function faultOfField(
  what: 'task' | 'step',
  [root, name = '', part, ...rest]: readonly string[],
  names: ReadonlySet<string>,
  contracts: Contracts,
): PathFault | undefined {
  if (root !== `${what}s` || part !== 'output' || rest.length === 0 || !names.has(name)) return undefined;
  const contract = contracts(name);
  const missingPart = contract && findMissingPart(contract, rest);
  if (missingPart === undefined) return undefined;
  const { missing, depth, known, surely } = missingPart;
  const around = rest.slice(0, depth);
  const at = `${what}s.${name}.output`;
  if (contract?.isText)
    return {
      reason: `the output of the ${what} ${JSON.stringify(name)} is a text. Only an agent with an output_schema gives fields.`,
      nearest: [at],
      text: name,
    };
  const where = depth === 0 ? `the output of the ${what} ${JSON.stringify(name)}` : `${JSON.stringify(around.join('.'))} of it`;
  const nearest = nearestNames(missing, known).map((field) => [at, ...around, field, ...rest.slice(depth + 1)].join('.'));
  const fields = nearest.length > 0 || known.length === 0 ? '' : ` It has ${firstNames(known)}.`;
  return { reason: `${where} has no ${JSON.stringify(missing)}.${fields}`, nearest, isGuess: !surely };
}

function faultOfPlanPath(
  [root = '', name, part, ...rest]: readonly string[],
  steps: ReadonlySet<string>,
  keys: ReadonlySet<string> | undefined,
): PathFault | undefined {
  const below = [name, part, ...rest].filter((segment) => segment !== undefined);
  if (root === 'input') return faultOfPayloadPath([root, ...below], keys);
  if (root === 'steps') return faultOfOutput('step', steps, [name, part, ...rest]);
  const reason = 'a path in a plan begins with input (the payload) or steps.<name>.output.';
  if (steps.has(root))
    return { reason, nearest: [['steps', root, 'output', ...below.filter((segment) => segment !== 'output')].join('.')] };
  if (keys?.has(root)) return { reason, nearest: [['input', root, ...below].join('.')] };
  return { reason, nearest: nearestNames(root, ['input', 'steps']).map((other) => [other, ...below].join('.')) };
}

function checkPrompt({ value }: ConfigFile, report: Report): void {
  if (!isObject(value) || typeof value.template !== 'string' || !value.template.includes('{{')) return;
  const declared = stringsIn(value.variables);
  for (const { path, segments, start, end } of findTemplatePaths(value.template)) {
    const rooted = roots.includes(segments[0] ?? '');
    if (rooted && (declared === undefined || declared.some((name) => covers(name, path)))) continue;
    const nearest = rooted ? nearestNames(path, declared ?? []) : withRoot(segments, declared ?? []);
    const reason = rooted ? `"variables" does not declare it.` : 'A path begins with input (the payload) or context.';
    report({
      pointer: '/template',
      within: { start, end },
      message: `Nothing provides {{${path}}}: ${reason}${didYouMean(nearest)}`,
      data: { path, nearest, start, end },
    });
  }
}

function checkAgent(file: ConfigFile, context: RuleContext, report: Report): void {
  const stack = layersOf(file, context);
  if (stack === undefined) return;
  const keys = inputKeysOf(stack);
  for (const template of findTemplates(file, stack, context)) checkTemplate(template, keys, file, report);
}

/** Each unknown path of a template once, where the checked file has it or refers to it. */
function checkTemplate(
  { text, field, file: path, pointer: at, setting, prompt }: AgentTemplate,
  keys: Keys,
  file: ConfigFile,
  report: Report,
): void {
  if (!text.includes('{{')) return;
  const isOwn = path === file.path;
  const seen = new Set<string>();
  for (const { path: written, segments, start, end } of findTemplatePaths(text)) {
    // What a prompt itself cannot mean is reported there.
    const fault = prompt !== undefined && segments[0] !== 'input' ? undefined : faultOfPayloadPath(segments, keys);
    if (fault === undefined || (!isOwn && seen.has(written))) continue;
    seen.add(written);
    const within = { start, end };
    const { pointer, related = [] } = isOwn
      ? { pointer: at }
      : placeOf(file, setting, `The ${prompt ? 'prompt is named' : 'text is'} here.`);
    const used = { file: path, pointer: at, within, message: `{{${written}}} is used here.` };
    const subject = prompt ? `The prompt ${JSON.stringify(prompt.id)}` : `${path} in ${field}`;
    report({
      pointer,
      ...(isOwn ? { within } : { related: [...related.filter(({ file: place }) => place !== path), used] }),
      message: isOwn
        ? `Nothing provides {{${written}}}: ${fault.reason}${didYouMean(fault.nearest)}`
        : `${subject} uses {{${written}}}, but ${fault.reason}${didYouMean(fault.nearest)}`,
      data: { path: written, nearest: fault.nearest, ...(!isOwn && { ...(prompt && { prompt: prompt.id }), file: path, at }), start, end },
    });
  }
}

type Keys = ReadonlySet<string> | undefined;

/** A path of a text that is filled in with a payload. */
function faultOfPayloadPath([root = '', key, ...below]: readonly string[], keys: Keys): PathFault | undefined {
  if (root !== 'input') {
    const rest = key === undefined ? [] : [key, ...below];
    return {
      reason: 'a path here begins with input (the payload).',
      nearest: withRoot(
        [root, ...rest],
        [...(keys ?? [])].map((name) => `input.${name}`),
      ),
    };
  }
  if (key === undefined || keys === undefined || keys.has(key)) return undefined;
  const nearest = nearestNames(key, keys).map((name) => ['input', name, ...below].join('.'));
  return { reason: `the input of this agent has no ${JSON.stringify(key)}.`, nearest };
}

/** A declared `input` or `input.user` covers everything below it. */
function covers(declared: string, path: string): boolean {
  return path === declared || path.startsWith(`${declared}.`);
}

/** Likely corrections of a path without a root: a declared path, the same path below a misspelt root, or a key of the input. */
function withRoot(segments: readonly string[], declared: readonly string[]): readonly string[] {
  const path = segments.join('.');
  const ending = declared.filter((name) => name.endsWith(`.${path}`));
  if (ending.length > 0) return ending;
  const [root = '', ...rest] = segments;
  const nearestRoots = rest.length > 0 ? nearestNames(root, roots) : [];
  return nearestRoots.length > 0 ? nearestRoots.map((name) => [name, ...rest].join('.')) : [`input.${path}`];
}

const roots: readonly string[] = ['input', 'context'];

/** The first part of a path that the schema of the output lacks. */
interface MissingPart {
  readonly missing: string;
  /** Number of parts before it. */
  readonly depth: number;
  /** Fields that exist at this depth; none below a text or number. */
  readonly known: readonly string[];
  /** Whether no answer that fits the schema can have it. */
  readonly surely: boolean;
}

/** Follows a path below an output in its schema; undefined where the path may exist, as in lists and combinations. */
function findMissingPart({ output_schema: root, isText }: Contract, segments: readonly string[]): MissingPart | undefined {
  const [first] = segments;
  if (isText && first !== undefined) return { missing: first, depth: 0, known: [], surely: true };
  const contract = new OutputContract(root);
  let schema: Json = root;
  for (const [depth, missing] of segments.entries()) {
    const followed = resolved(contract, schema);
    const types = isObject(followed) ? (typeof followed.type === 'string' ? [followed.type] : listOf(followed.type)) : [];
    if (types.includes('array')) return undefined;
    if (types.length > 0 && !types.includes('object')) return { missing, depth, known: [], surely: true };
    const child = childOf(contract, followed, missing);
    if (!child.declared) return { missing, depth, known: namesIn(contract, followed), surely: child.schema === false };
    schema = child.schema;
  }
  return undefined;
}
