import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../core/json.js';
import { findTemplatePaths } from '../../core/prompt/template.js';
import { agentNames, agentReference, fileName, inputKeyNames, prefixedToolName } from './agentNames.js';
import { caseNames } from './caseNames.js';
import { outputNames } from './contractNames.js';
import { type Contract, Contracts, type InputPlace } from './contracts.js';
import { type FileView, pathFor } from './fileView.js';
import { Listing, type Name, type Wanted } from './listing.js';
import { orchestrationNames } from './orchestrationNames.js';
import { mcpInputNames, settingsNames, skillName } from './projectNames.js';
import { pathParts, templateNames } from './templateNames.js';

/** The places of a file that name something, filtered by `wanted`. */
export function namesIn(view: FileView, wanted: Wanted = {}): readonly Name[] {
  const listing = new Listing(view, new Contracts(view.project.ruleContext), wanted);
  const { value, file } = view;
  const { kind, name, version } = file.identity;
  switch (kind) {
    case 'agent':
      identityName(listing, { kind: 'agent', name }, 'agent_name');
      identityName(listing, { kind: 'agent-version', agent: name, name: version ?? '' }, 'version');
      agentFileNames(listing, name);
      break;
    case 'persona':
      agentFileNames(listing, undefined);
      break;
    case 'llm':
      identityName(listing, { kind: 'llm', name }, 'llm_id');
      break;
    case 'prompt':
      identityName(listing, { kind: 'prompt', name }, 'name');
      identityName(listing, { kind: 'prompt-version', prompt: name, name: version ?? '' }, 'version');
      promptFileNames(listing);
      break;
    case 'settings':
      settingsNames(listing);
      break;
    case 'mcp':
      serverNames(listing, value.servers, true);
      if (listing.wants('mcp-input')) mcpInputNames(listing);
      break;
    case 'lock':
      serverNames(listing, value.servers, false);
      break;
    case 'orchestration':
      identityName(listing, { kind: 'orchestration', name }, 'name');
      orchestrationNames(listing);
      break;
    case 'system':
      systemNames(listing);
      break;
    case 'payload':
      caseNames(listing);
      break;
    case 'baseline':
      verdictNames(listing, name);
      break;
    default:
  }
  return listing.names;
}

/** A field that repeats a part of the path. Where they disagree, others refer to the file by its path. */
function identityName(listing: Listing, entity: Name['entity'], field: string): void {
  const written = listing.view.value[field];
  if (typeof written === 'string') listing.add(entity, pointerOf(field), { isDeclaration: true, isCertain: written === entity.name });
}

function agentFileNames(listing: Listing, agentName: string | undefined): void {
  const { contracts, view } = listing;
  agentNames(listing, view.value, '', {
    agentName,
    contract: () => contracts.ofFile(view.file),
    input: () => contracts.inputOf(view.file),
  });
}

/** mcp.json declares servers, and the lock file refers to them. */
function serverNames(listing: Listing, servers: Json | undefined, isDeclaration: boolean): void {
  if (!isObject(servers)) return;
  for (const name of Object.keys(servers)) listing.add({ kind: 'mcp', name }, pointerOf('servers', name), { target: 'key', isDeclaration });
}

function systemNames(listing: Listing): void {
  const { value } = listing.view;
  for (const part of ['agent_defaults', 'persona_defaults']) fragmentNames(listing, value[part], pointerOf(part), undefined);
  if (isObject(value.llms)) {
    for (const name of Object.keys(value.llms)) {
      const leadsTo = listing.view.project.index.ids('llm').get(name);
      listing.add({ kind: 'llm', name }, pointerOf('llms', name), { target: 'key', ...(leadsTo !== undefined && { leadsTo }) });
    }
  }
  policyNames(listing);
  if (!isObject(value.agents)) return;
  for (const [name, fields] of Object.entries(value.agents)) {
    agentReference(listing, name, pointerOf('agents', name), 'key');
    fragmentNames(listing, fields, pointerOf('agents', name), name);
  }
}

/** The agents, orchestrations, servers and skills that the assertions of a policy name. */
function policyNames(listing: Listing): void {
  const { policy } = listing.view.value;
  if (!isObject(policy) || !listing.reaches('/policy')) return;
  for (const [index, flow] of listOf(policy.never).entries()) {
    if (!isObject(flow)) continue;
    for (const end of ['from', 'to']) policyTool(listing, flow[end], pointerOf('policy', 'never', index, end));
  }
  for (const [index, tool] of listOf(policy.only_after_approval).entries())
    policyTool(listing, tool, pointerOf('policy', 'only_after_approval', index));
  for (const [name, entry] of Object.entries(isObject(policy.agents) ? policy.agents : {})) {
    const pointer = pointerOf('policy', 'agents', name);
    const { index: known } = listing.view.project;
    const leadsTo = known.ids('orchestration').get(name);
    if (leadsTo !== undefined) listing.add({ kind: 'orchestration', name }, pointer, { target: 'key', leadsTo });
    if (leadsTo === undefined || known.versions(name).length > 0) agentReference(listing, name, pointer, 'key');
    for (const [index, what] of listOf(isObject(entry) ? entry.may_not : undefined).entries())
      policyTool(listing, what, `${pointer}/may_not/${index}`);
  }
}

/** `server/tool` names the server; a name alone may be that of a skill. */
function policyTool(listing: Listing, term: Json | undefined, pointer: string): void {
  if (typeof term !== 'string' || !listing.reaches(pointer)) return;
  const server = term.slice(0, Math.max(0, term.indexOf('/')));
  if (server === '') {
    skillName(listing, term, pointer);
    prefixedToolName(listing, term, pointer);
  } else if (!server.includes('*') && !server.includes('${') && listing.mayBe(server) && listing.wants('mcp')) {
    const leadsTo = pathFor('mcp', 'mcp', listing.view.project);
    listing.add({ kind: 'mcp', name: server }, pointer, { within: { start: 0, end: server.length }, leadsTo });
  }
}

/** The profiles and the versions that verdicts are about. */
function verdictNames(listing: Listing, subject: string): void {
  for (const [index, verdict] of listOf(listing.view.value.verdicts).entries()) {
    const at = `/verdicts/${index}`;
    if (!isObject(verdict) || !listing.reaches(at)) continue;
    fileName(listing, 'llm', verdict.llm, `${at}/llm`);
    const { version } = verdict;
    if (typeof version !== 'string') continue;
    const leadsTo = pathFor('agent', `${subject}@${version}`, listing.view.project);
    listing.add({ kind: 'agent-version', agent: subject, name: version }, `${at}/version`, { leadsTo });
  }
}

function fragmentNames(listing: Listing, value: Json | undefined, at: string, agentName: string | undefined): void {
  if (!isObject(value)) return;
  agentNames(listing, value, at, { agentName, contract: () => undefined, input: () => ({ file: listing.path, at }) });
}

/** The agents that use a prompt determine the meaning of its paths and examples; no more than these are read. */
const mostUsers = 50;

function promptFileNames(listing: Listing): void {
  if (!listing.wants('input-key', 'field', 'enum-value')) return;
  const { project, file, value } = listing.view;
  const users = [...new Set(project.index.referencesTo('prompt', file.identity.id).map((reference) => reference.file))];
  const inputs: (InputPlace | undefined)[] = [];
  const contracts: (Contract | undefined)[] = [];
  for (const path of users.slice(0, mostUsers)) {
    const user = project.documentAt(path)?.config;
    if (user === undefined || (user.identity.kind !== 'agent' && user.identity.kind !== 'persona')) continue;
    inputs.push(listing.contracts.inputOf(user));
    contracts.push(listing.contracts.ofFile(user));
  }
  const owners = distinct(inputs, ({ file: path, at }) => `${path}#${at}`);
  const inputPlaces = owners.length > 0 ? owners : [{ file: file.path, at: '' }];
  templateNames(listing, value.template, '/template', { inputs: inputPlaces });
  variableNames(listing, value, inputPlaces);
  exampleNames(
    listing,
    value,
    inputPlaces,
    distinct(contracts, ({ file: path, pointer }) => `${path}#${pointer}`),
  );
}

/** `variables` lists paths without braces. */
function variableNames(listing: Listing, { variables }: JsonObject, inputs: readonly InputPlace[]): void {
  if (!Array.isArray(variables)) return;
  for (const [index, path] of (variables as readonly Json[]).entries()) {
    if (typeof path !== 'string') continue;
    const [written] = findTemplatePaths(`{{${path}}}`);
    if (written !== undefined) pathParts(listing, written, path.indexOf(written.path), `/variables/${index}`, { inputs });
  }
}

function exampleNames(
  listing: Listing,
  { few_shot_examples: examples }: JsonObject,
  inputs: readonly InputPlace[],
  contracts: readonly Contract[],
): void {
  if (!Array.isArray(examples)) return;
  for (const [index, example] of (examples as readonly Json[]).entries()) {
    const at = `/few_shot_examples/${index}`;
    if (!isObject(example) || !listing.reaches(at)) continue;
    inputKeyNames(listing, example.input, `${at}/input`, inputs);
    for (const contract of contracts) outputNames(listing, example.output, `${at}/output`, contract, { isCertain: contracts.length === 1 });
  }
}

function distinct<T>(items: readonly (T | undefined)[], keyOf: (item: T) => string): readonly T[] {
  const byKey = new Map<string, T>();
  for (const item of items) if (item !== undefined && !byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}
