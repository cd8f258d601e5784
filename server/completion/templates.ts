import { CompletionItemKind } from 'vscode-languageserver';
import { isObject, type Json, listOf } from '../../core/json.js';
import { findTemplatePaths } from '../../core/prompt/template.js';
import { mayBePlain } from '../../core/snapshot/effective.js';
import { contextPaths } from './conditions.js';
import { agentField, dottedPaths, outputSchemaOf, partNames, planAt, referredKeys, shortType } from './outputs.js';
import { type PayloadKey, payloadKeys } from './payloadKeys.js';
import { begunAt } from './placeholders.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';

interface TemplateName {
  readonly path: string;
  readonly detail: string;
  readonly rank: number;
}

/** `{{paths}}` where the text before the cursor begins one and the string is a template; undefined elsewhere. */
export function templateValues(spot: Spot): readonly Suggestion[] | undefined {
  const { cursor } = spot;
  if (cursor.quotes === 'none' || !cursor.typed.includes('{{')) return undefined;
  const begun = begunAt(spot, /\{\{[ \t]*([\p{L}\p{M}\p{N}_$.-]*)$/u, /^[\p{L}\p{M}\p{N}_$.-]*/u, '');
  if (begun === undefined) return undefined;
  const names = templateNames(spot);
  if (names === undefined) return undefined;
  const last = cursor.quotes === 'closed' ? cursor.token.end - 1 : cursor.token.end;
  const closing = closingOf(spot.text.slice(begun.end, last));
  const seen = new Set<string>();
  return names.flatMap(({ path, detail, rank }): Suggestion[] => {
    if (seen.has(path) || !/^[\p{L}\p{M}\p{N}_$-]+(?:\.[\p{L}\p{M}\p{N}_$-]+)*$/u.test(path)) return [];
    seen.add(path);
    const { start, end } = begun;
    return [{ type: 'part', label: path, text: path + closing, start, end, kind: CompletionItemKind.Variable, detail, rank }];
  });
}

/** The closing braces that are missing. */
function closingOf(rest: string): string {
  const after = rest.trimStart();
  return after.startsWith('}}') ? '' : after.startsWith('}') ? '}' : '}}';
}

/** What a template at the cursor may refer to; undefined where strings are not templates. */
function templateNames(spot: Spot): readonly TemplateName[] | undefined {
  const { kind, path } = spot;
  if (kind === 'prompt') return path[0] === 'template' ? promptNames(spot) : undefined;
  const plan = planAt(path);
  if (plan !== undefined) return isPlanTemplate(path.slice(plan.length)) ? planNames(spot, plan.slice(0, -1)) : undefined;
  if (path.at(-1) === 'user_text' || path.at(-1) === 'system_text') {
    const base = path.slice(0, -1);
    return isPlainAt(spot, base) ? payloadNames(spot, base) : undefined;
  }
  if (kind !== 'orchestration') return undefined;
  const isInput = path[0] === 'teams' && path[2] === 'tasks' && path[4] === 'input';
  const isUpdate = path[0] === 'teams' && path[2] === 'routing' && path[3] === 'rules' && path[5] === 'context_updates';
  return isInput || isUpdate ? orchestrationNames(spot) : undefined;
}

/** Whether the fields of an agent are here, and the texts of this one are templates. */
function isPlainAt(spot: Spot, base: Spot['path']): boolean {
  const isAgent =
    spot.kind === 'agent' || spot.kind === 'persona' ? base.length === 0 : spot.kind === 'orchestration' && base[4] === 'config';
  return isAgent && mayBePlain({ agent_type: agentField(spot, base, 'agent_type') ?? null, mode: agentField(spot, base, 'mode') ?? null });
}

function payloadNames(spot: Spot, base: Spot['path']): readonly TemplateName[] {
  const keys = payloadKeys(agentField(spot, base, 'input_keys'), agentField(spot, base, 'input_schema'));
  return [...inputNames(keys), { path: 'input', detail: 'the whole payload', rank: 5 }];
}

function isPlanTemplate(path: Spot['path']): boolean {
  if (path[0] === 'output') return true;
  return path[0] === 'steps' && (path[2] === 'llm' || path[2] === 'input');
}

function orchestrationNames(spot: Spot): readonly TemplateName[] {
  const context = contextPaths(spot);
  return [
    ...partNames(spot).flatMap((task) => outputNames(spot, `tasks.${task}.output`, task)),
    ...context.map((path) => ({ path: `context.${path}`, detail: 'context', rank: path.includes('.') ? 4 : 2 })),
    { path: 'context', detail: 'the whole context', rank: 5 },
    ...inputsOfContext(spot).map((key) => ({ path: `input.${key}`, detail: 'context at the start', rank: 5 })),
    { path: 'input', detail: 'the context at the start', rank: 6 },
  ];
}

function inputsOfContext(spot: Spot): readonly string[] {
  const context = spot.valueAt(['context']);
  const keys = payloadKeys(spot.valueAt(['input_keys']), spot.valueAt(['input_schema'])).map(({ name }) => name);
  return [...new Set([...keys, ...(isObject(context) ? Object.keys(context) : [])])];
}

function planNames(spot: Spot, base: Spot['path']): readonly TemplateName[] {
  return [...payloadNames(spot, base), ...partNames(spot).flatMap((step) => outputNames(spot, `steps.${step}.output`, step))];
}

function outputNames(spot: Spot, path: string, part: string): readonly TemplateName[] {
  const fields = dottedPaths(outputSchemaOf(spot, part));
  return [
    ...fields.map((field) => ({ path: `${path}.${field.path}`, detail: shortType(field.place), rank: field.path.includes('.') ? 3 : 1 })),
    { path, detail: 'the whole output', rank: fields.length === 0 ? 1 : 3 },
  ];
}

function promptNames(spot: Spot): readonly TemplateName[] {
  const declared = listOf(spot.valueAt(['variables'])).filter((path): path is string => typeof path === 'string');
  const examples = listOf(spot.valueAt(['few_shot_examples'])).flatMap((example) =>
    isObject(example) && isObject(example.input) ? Object.keys(example.input) : [],
  );
  return [
    ...declared.map((path) => ({ path, detail: 'declared in variables', rank: 1 })),
    ...inputNames(keysOfUsers(spot)),
    ...examples.map((key) => ({ path: `input.${key}`, detail: 'key of an example', rank: 3 })),
    { path: 'input', detail: 'the whole payload', rank: 5 },
    { path: 'context', detail: 'the whole context', rank: 5 },
  ];
}

/** The input keys of the agents that use this prompt. */
export function keysOfUsers(spot: Spot): readonly PayloadKey[] {
  const keys = new Map<string, PayloadKey>();
  for (const id of usersOf(spot)) {
    for (const key of referredKeys(spot, id)) if (!keys.has(key.name)) keys.set(key.name, key);
  }
  // A prompt that is not used yet is probably for the agent of the same name.
  if (keys.size === 0) return referredKeys(spot, spot.identity.name);
  return [...keys.values()];
}

/** The agents (`name@version`) that refer to this prompt in their file or through their persona. */
export function usersOf({ project, identity }: Spot): readonly string[] {
  const { index } = project;
  const users = new Set<string>();
  for (const { file } of index.referencesTo('prompt', identity.id)) {
    const user = index.identityOf(file);
    if (user?.kind === 'agent') users.add(user.id);
    if (user?.kind !== 'persona') continue;
    for (const reference of index.referencesTo('persona', user.id)) {
      const agent = index.identityOf(reference.file);
      if (agent?.kind === 'agent') users.add(agent.id);
    }
    if (users.size > mostUsers) break;
  }
  return [...users].slice(0, mostUsers);
}

const mostUsers = 50;

function inputNames(keys: readonly PayloadKey[]): readonly TemplateName[] {
  return keys.flatMap(({ name, schema }) => [
    { path: `input.${name}`, detail: schema === undefined ? 'key of the payload' : shortType({ schema, root: schema }), rank: 1 },
    ...dottedPaths(schema).map(({ path, place }) => ({ path: `input.${name}.${path}`, detail: shortType(place), rank: 3 })),
  ]);
}

/** The paths that the template uses, and the input keys of the agents that use the prompt. */
export function variableValues(spot: Spot): readonly string[] {
  const template = spot.valueAt(['template']);
  const used = typeof template === 'string' ? findTemplatePaths(template).map(({ path }) => path) : [];
  return [...new Set([...used, ...keysOfUsers(spot).map(({ name }) => `input.${name}`)])];
}

/** The input keys that a prompt's template uses. */
export function keysOfTemplate(spot: Spot, prompt: Json | undefined): readonly string[] {
  const template = typeof prompt === 'string' ? spot.project.index.value('prompt', prompt)?.template : undefined;
  if (typeof template !== 'string') return [];
  return [
    ...new Set(findTemplatePaths(template).flatMap(({ segments: [root, key] }) => (root === 'input' && key !== undefined ? [key] : []))),
  ];
}
