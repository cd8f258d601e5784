import { findAgent, splitAgentReference } from '../../core/config/agentReference.js';
import { lockedTools, lockId } from '../../core/config/knownTools.js';
import { comparisonsIn } from '../../core/config/orchestrationParts.js';
import type { TextRange } from '../../core/finding.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../core/json.js';
import { mayBePlain } from '../../core/snapshot/effective.js';
import { findPlaceholders } from '../../core/snapshot/placeholders.js';
import { comparedNames, enumNames, outputNames, pathNames, schemaNames } from './contractNames.js';
import type { Contract, InputPlace } from './contracts.js';
import { pathFor } from './fileView.js';
import type { Listing } from './listing.js';
import { definitionNames, skillName } from './projectNames.js';
import { inputNames, type NamedPart, type TemplateScope, templateNames } from './templateNames.js';

/** The agent that fields belong to. */
export interface AgentScope {
  /** The agent that `system_prompt_version` refers to; undefined for a fragment that several agents may inherit. */
  readonly agentName: string | undefined;
  /** The output contract of the agent. */
  readonly contract: () => Contract | undefined;
  readonly input: () => InputPlace;
}

/** The names in the fields of an agent, whether in an agent or persona file, a task's `config` or a section of system.json. */
export function agentNames(listing: Listing, value: JsonObject, at: string, scope: AgentScope): void {
  if (!listing.reaches(at)) return;
  fileName(listing, 'llm', value.llm_config_id, `${at}/llm_config_id`);
  fileName(listing, 'persona', value.persona_key, `${at}/persona_key`);
  if (Array.isArray(value.client_ids)) {
    for (const [index, id] of (value.client_ids as readonly Json[]).entries()) fileName(listing, 'mcp', id, `${at}/client_ids/${index}`);
  }
  prefixedToolNames(listing, value, at);
  for (const field of ['enabled_tools', 'exclude_components']) {
    for (const [index, name] of listOf(value[field]).entries()) skillName(listing, name, `${at}/${field}/${index}`);
  }
  for (const field of ['output_schema', 'input_schema']) {
    const schema = value[field];
    if (isObject(schema)) definitionNames(listing, schema, `${at}/${field}`);
  }
  if (isObject(value.prompts) && listing.reaches(`${at}/prompts`)) promptNames(listing, value.prompts, `${at}/prompts`, scope);
  contractNames(listing, value, at, scope);
  inputFieldNames(listing, value, at, scope);
  if (mayBePlain(value))
    for (const field of ['system_text', 'user_text']) templateNames(listing, value[field], `${at}/${field}`, { inputs: [scope.input()] });
  if (isObject(value.execution_plan)) planNames(listing, value.execution_plan, `${at}/execution_plan`, scope);
}

function prefixedToolNames(listing: Listing, value: JsonObject, at: string): void {
  if (!listing.wants('mcp')) return;
  for (const field of ['enabled_tools', 'exclude_components']) {
    const list = value[field];
    if (!Array.isArray(list) || !listing.reaches(`${at}/${field}`)) continue;
    for (const [index, entry] of (list as readonly Json[]).entries()) {
      if (typeof entry === 'string') prefixedToolName(listing, entry, `${at}/${field}/${index}`);
    }
  }
}

/** A tool name with its server's id as prefix, such as `docs_search`, names the server too. */
export function prefixedToolName(listing: Listing, entry: string, pointer: string): void {
  if (!listing.wants('mcp') || !entry.includes('_')) return;
  const { project } = listing.view;
  for (const id of Object.keys(project.index.value('lock', lockId)?.servers ?? {})) {
    if (!entry.startsWith(`${id}_`) || !listing.mayBe(id)) continue;
    const tool = entry.slice(id.length + 1);
    if (lockedTools(project.index, id)?.some(({ name }) => name === tool) !== true) continue;
    listing.add({ kind: 'mcp', name: id }, pointer, { within: { start: 0, end: id.length }, leadsTo: pathFor('mcp', 'mcp', project) });
  }
}

/** A string that names a file, or a server in one. */
export function fileName(listing: Listing, kind: 'llm' | 'persona' | 'mcp', text: Json | undefined, pointer: string): void {
  if (typeof text !== 'string' || text === '' || !listing.reaches(pointer)) return;
  const within = text.includes('${') ? fallbackIn(text) : undefined;
  const id = within === undefined ? text : text.slice(within.start, within.end);
  if (id.includes('${') || !listing.mayBe(id)) return;
  const leadsTo = pathFor(kind, kind === 'mcp' ? 'mcp' : id, listing.view.project);
  listing.add({ kind, name: id }, pointer, { leadsTo, ...(within && { within }) });
}

/** The fallback of a text that is one placeholder: the name that takes effect where the variable is not set. */
function fallbackIn(text: string): TextRange | undefined {
  const [placeholder] = findPlaceholders(text);
  if (placeholder?.fallback === undefined || placeholder.fallback === '' || placeholder.end - placeholder.start < text.length)
    return undefined;
  return { start: placeholder.end - 1 - placeholder.fallback.length, end: placeholder.end - 1 };
}

/** `A2@v1`, or a name for the newest version. */
export function agentReference(listing: Listing, reference: Json | undefined, pointer: string, target: 'key' | 'value' = 'value'): void {
  if (typeof reference !== 'string' || reference === '' || reference.includes('${') || !listing.wants('agent', 'agent-version')) return;
  if (!listing.reaches(pointer)) return;
  const { name, version } = splitAgentReference(reference);
  const { project } = listing.view;
  const leadsTo = findAgent(project.index, reference)?.path ?? pathFor('agent', reference, project);
  const end = name.length;
  listing.add({ kind: 'agent', name }, pointer, { target, within: { start: 0, end }, leadsTo });
  if (version === undefined) return;
  const within = { start: end + 1, end: reference.length };
  listing.add({ kind: 'agent-version', agent: name, name: version }, pointer, { target, within, leadsTo });
}

function promptNames(listing: Listing, prompts: JsonObject, at: string, { agentName }: AgentScope): void {
  const { system_prompt: whole, system_prompt_version: version } = prompts;
  const { project } = listing.view;
  if (typeof whole === 'string' && whole !== '' && !whole.includes('${')) {
    const { name, version: part } = splitAgentReference(whole);
    const pointer = `${at}/system_prompt`;
    const leadsTo = pathFor('prompt', whole, project);
    listing.add({ kind: 'prompt', name }, pointer, { within: { start: 0, end: name.length }, leadsTo });
    const within = { start: name.length + 1, end: whole.length };
    if (part !== undefined) listing.add({ kind: 'prompt-version', prompt: name, name: part }, pointer, { within, leadsTo });
  }
  if (typeof version !== 'string' || version === '' || version.includes('${') || agentName === undefined) return;
  const pointer = `${at}/system_prompt_version`;
  const leadsTo = pathFor('prompt', `${agentName}@${version}`, project);
  listing.add({ kind: 'prompt', name: agentName }, pointer, { leadsTo, isImplied: true });
  listing.add({ kind: 'prompt-version', prompt: agentName, name: version }, pointer, { leadsTo });
}

function contractNames(listing: Listing, value: JsonObject, at: string, scope: AgentScope): void {
  if (!listing.wants('field', 'enum-value')) return;
  const { path } = listing;
  const schemaAt = `${at}/output_schema`;
  const reachesSchema = listing.reaches(schemaAt);
  const reachesValues = listing.reaches(`${at}/enums`) || listing.reaches(`${at}/defaults`);
  if (!reachesSchema && !reachesValues) return;
  const ownContract = listing.contracts.at(path, schemaAt, value.output_schema);
  if (ownContract !== undefined && reachesSchema) schemaNames(listing, ownContract);
  if (!reachesValues || (value.enums === undefined && value.defaults === undefined)) return;
  const contract = ownContract ?? scope.contract();
  enumNames(listing, value.enums, `${at}/enums`, contract);
  if (contract !== undefined) outputNames(listing, value.defaults, `${at}/defaults`, contract);
}

function inputFieldNames(listing: Listing, value: JsonObject, at: string, { input }: AgentScope): void {
  if (!listing.wants('input-key')) return;
  const declare = (name: Json, pointer: string, target: 'key' | 'value', isDeclaration: boolean) => {
    if (typeof name === 'string' && name !== '') inputNames(listing, name, pointer, [input()], { target, isDeclaration });
  };
  if (Array.isArray(value.input_keys) && listing.reaches(`${at}/input_keys`)) {
    for (const [index, key] of (value.input_keys as readonly Json[]).entries()) declare(key, `${at}/input_keys/${index}`, 'value', true);
  }
  if (!isObject(value.input_schema) || !listing.reaches(`${at}/input_schema`)) return;
  const { properties, required } = value.input_schema;
  if (isObject(properties)) {
    for (const key of Object.keys(properties)) declare(key, `${at}/input_schema/properties${pointerOf(key)}`, 'key', true);
  }
  if (!Array.isArray(required)) return;
  for (const [index, key] of (required as readonly Json[]).entries()) declare(key, `${at}/input_schema/required/${index}`, 'value', false);
}

function planNames(listing: Listing, plan: JsonObject, at: string, { input }: AgentScope): void {
  if (!listing.reaches(at) || !Array.isArray(plan.steps)) return;
  const steps = (plan.steps as readonly Json[]).map((step) => (isObject(step) ? step : nothing));
  const entity = (name: string) => ({ kind: 'step', file: listing.path, plan: at, name }) as const;
  const byName = new Map<string, NamedPart>();
  for (const { name, agent } of steps) {
    if (typeof name !== 'string' || byName.has(name)) continue;
    byName.set(name, { entity: entity(name), contract: () => listing.contracts.ofAgent(agent), isCertain: true });
  }
  const part: TemplateScope['part'] = (root, name) => (root === 'steps' ? byName.get(name) : undefined);
  const templates: TemplateScope = { inputs: [input()], part };
  for (const [index, step] of steps.entries()) {
    const pointer = `${at}/steps/${index}`;
    if (!listing.reaches(pointer)) continue;
    if (typeof step.name === 'string') listing.add(entity(step.name), `${pointer}/name`, { isDeclaration: true });
    agentReference(listing, step.agent, `${pointer}/agent`);
    skillName(listing, step.skill, `${pointer}/skill`);
    const inputPlace = isObject(step.input) ? listing.contracts.inputOfAgent(step.agent) : undefined;
    if (inputPlace !== undefined) inputKeyNames(listing, step.input, `${pointer}/input`, [inputPlace]);
    templateNames(listing, step.input, `${pointer}/input`, templates);
    templateNames(listing, step.llm, `${pointer}/llm`, templates);
    conditionNames(listing, step.when, `${pointer}/when`, (name) => byName.get(name));
    if (isObject(step.repeat)) conditionNames(listing, step.repeat.until, `${pointer}/repeat/until`, (name) => byName.get(name));
  }
  templateNames(listing, plan.output, `${at}/output`, templates);
}

const nothing: JsonObject = {};

/** The keys of a payload. */
export function inputKeyNames(listing: Listing, payload: Json | undefined, pointer: string, inputs: readonly InputPlace[]): void {
  if (!isObject(payload) || !listing.wants('input-key') || !listing.reaches(pointer)) return;
  for (const key of Object.keys(payload)) inputNames(listing, key, pointer + pointerOf(key), inputs, { target: 'key', isWrite: true });
}

/** The names in a condition: the task or step, the field, and the values it is compared with. */
export function conditionNames(
  listing: Listing,
  condition: Json | undefined,
  pointer: string,
  partNamed: (name: string) => NamedPart | undefined,
): void {
  if (condition === undefined || !listing.reaches(pointer)) return;
  for (const { value, pointer: at, task } of comparisonsIn(condition, pointer)) {
    if (!listing.reaches(at)) continue;
    const { context_field: contextField, output_field: outputField } = value;
    if (typeof contextField === 'string' && outputField === undefined) contextName(listing, contextField, `${at}/context_field`);
    const part = task && partNamed(task.name);
    if (task === undefined || part === undefined) continue;
    listing.add(part.entity, task.pointer, { isCertain: part.isCertain });
    if (typeof outputField !== 'string' || !listing.wants('field', 'enum-value')) continue;
    const contract = part.contract();
    if (contract === undefined) continue;
    pathNames(listing, outputField.split('.'), `${at}/output_field`, 0, contract);
    comparedNames(listing, value, at, contract);
  }
}

function contextName(listing: Listing, path: string, pointer: string): void {
  if (listing.view.file.identity.kind !== 'orchestration') return;
  const name = path.split('.', 1)[0] ?? '';
  if (name !== '') listing.add({ kind: 'context-key', file: listing.path, name }, pointer, { within: { start: 0, end: name.length } });
}
