import { splitAgentReference } from '../../core/config/agentReference.js';
import { routesIn, rulesIn, type TaskPart, type TeamPart, tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../core/json.js';
import { agentNames, agentReference, conditionNames, inputKeyNames } from './agentNames.js';
import { pathFor } from './fileView.js';
import type { Listing } from './listing.js';
import { type NamedPart, type TemplateScope, templateNames } from './templateNames.js';

/** The names in an orchestration: teams, tasks, what they refer to, and what its routing refers to. */
export function orchestrationNames(listing: Listing): void {
  const { path, view } = listing;
  const { value } = view;
  const teamName = (name: Json | undefined, pointer: string) => {
    if (typeof name === 'string' && name !== '') listing.add({ kind: 'team', file: path, name }, pointer);
  };
  teamName(value.entry_team, '/entry_team');
  contextKeys(listing, value.context, '/context');
  for (const [index, name] of listOf(value.input_keys).entries())
    if (typeof name === 'string') listing.add({ kind: 'context-key', file: path, name }, `/input_keys/${index}`, { isDeclaration: true });
  const { input_schema: schema } = value;
  if (isObject(schema)) {
    contextKeys(listing, schema.properties, '/input_schema/properties');
    for (const [index, name] of listOf(schema.required).entries())
      if (typeof name === 'string') listing.add({ kind: 'context-key', file: path, name }, `/input_schema/required/${index}`);
  }
  const teams = teamsIn(value).map((team) => ({ team, parts: partsOf(listing, team) }));
  for (const { team, parts } of teams) {
    if (!listing.reaches(team.pointer)) continue;
    listing.add({ kind: 'team', file: path, name: team.id }, team.pointer, { target: 'key', isDeclaration: true });
    for (const { next, pointer } of routesIn(team)) teamName(next, pointer);
    const templates: TemplateScope = {
      context: path,
      part(root, name) {
        if (root !== 'tasks') return undefined;
        const teamPart = parts.get(name);
        if (teamPart !== undefined) return teamPart;
        // A template may refer to tasks of teams that ran before.
        const matches = teams.flatMap((other) => (other.team === team ? [] : (other.parts.get(name) ?? [])));
        return matches[0] && { ...matches[0], isCertain: matches.length === 1 };
      },
    };
    for (const task of tasksIn(team)) taskNames(listing, team, task, templates);
    routingNames(listing, team, parts, templates);
  }
}

/** Tasks by name; of two tasks with one name, the first counts. */
function partsOf(listing: Listing, team: TeamPart): ReadonlyMap<string, NamedPart> {
  const parts = new Map<string, NamedPart>();
  for (const task of tasksIn(team)) {
    if (task.name === undefined || parts.has(task.name)) continue;
    parts.set(task.name, {
      entity: taskEntity(listing, team, task.name),
      contract: () => listing.contracts.ofTask(listing.view.file, task),
      isCertain: true,
    });
  }
  return parts;
}

function taskEntity({ path }: Listing, team: TeamPart, name: string) {
  return { kind: 'task', file: path, team: team.id, name } as const;
}

function taskNames(listing: Listing, team: TeamPart, task: TaskPart, templates: TemplateScope): void {
  const { name, value, pointer } = task;
  if (!listing.reaches(pointer)) return;
  if (name !== undefined) listing.add(taskEntity(listing, team, name), `${pointer}/name`, { isDeclaration: true });
  agentReference(listing, value.agent, `${pointer}/agent`);
  const { persona_key: persona } = value;
  if (typeof persona === 'string' && persona !== '' && !persona.includes('${')) {
    const leadsTo = pathFor('persona', persona, listing.view.project);
    listing.add({ kind: 'persona', name: persona }, `${pointer}/persona_key`, { leadsTo });
  }
  for (const [index, other] of (Array.isArray(value.depends_on) ? (value.depends_on as readonly Json[]) : []).entries()) {
    if (typeof other === 'string') listing.add(taskEntity(listing, team, other), `${pointer}/depends_on/${index}`);
  }
  const { file } = listing.view;
  if (isObject(value.input) && listing.wants('input-key')) {
    const input = listing.contracts.inputOfTask(file, task);
    if (input !== undefined) inputKeyNames(listing, value.input, `${pointer}/input`, [input]);
  }
  templateNames(listing, value.input, `${pointer}/input`, templates);
  if (!isObject(value.config)) return;
  const at = `${pointer}/config`;
  // A persona run as an agent has the name of its task, an agent its own name.
  const agentName = typeof value.agent === 'string' ? splitAgentReference(value.agent).name : name;
  agentNames(listing, value.config, at, {
    agentName,
    contract: () => listing.contracts.ofTask(file, task),
    input: () => listing.contracts.inputOfTask(file, task) ?? { file: file.path, at },
  });
}

function routingNames(listing: Listing, team: TeamPart, parts: ReadonlyMap<string, NamedPart>, templates: TemplateScope): void {
  for (const { value: rule, pointer: at } of rulesIn(team)) {
    if (!listing.reaches(at)) continue;
    conditionNames(listing, rule.condition, `${at}/condition`, (name) => parts.get(name));
    contextKeys(listing, rule.context_updates, `${at}/context_updates`);
    templateNames(listing, rule.context_updates, `${at}/context_updates`, templates);
  }
}

/** Both the first context and an update of it give its keys their values. */
function contextKeys(listing: Listing, context: Json | undefined, pointer: string): void {
  if (!isObject(context) || !listing.wants('context-key') || !listing.reaches(pointer)) return;
  const isDeclaration = pointer === '/context' || pointer === '/input_schema/properties';
  for (const name of Object.keys(context as JsonObject)) {
    const details = { target: 'key', isDeclaration, isWrite: true } as const;
    listing.add({ kind: 'context-key', file: listing.path, name }, pointer + pointerOf(name), details);
  }
}
