import { casesIn, expectationsIn, subjectKeyOf, turnsIn } from '../../core/config/caseParts.js';
import { type TaskPart, type TeamPart, tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../core/json.js';
import { agentReference, inputKeyNames, prefixedToolName } from './agentNames.js';
import { comparedNames, outputNames, pathNames } from './contractNames.js';
import type { Contract, InputPlace } from './contracts.js';
import type { Listing } from './listing.js';
import { skillName } from './projectNames.js';

/** The names in a payload: keys of inputs, and in its expectations fields and their values, tasks, teams, tools and judges. */
export function caseNames(listing: Listing): void {
  const { project, file, value } = listing.view;
  const { agent: owner } = file.identity;
  if (owner === undefined) return;
  const isAgent = project.index.versions(owner).length > 0;
  const flow = isAgent ? undefined : orchestrationOf(listing, owner);
  inputNames(listing, isAgent ? owner : undefined, flow);
  const answer = isAgent ? listing.contracts.ofAgent(owner) : undefined;
  if (answer !== undefined)
    for (const part of partsWithExample(value)) outputNames(listing, part.value.expected, `${part.pointer}/expected`, answer);
  for (const { value: expectation, pointer } of expectationsIn(value))
    if (listing.reaches(pointer)) expectationNames(listing, expectation, pointer, { answer, flow });
}

/** An orchestration that cases are for. */
interface Flow {
  readonly path: string;
  readonly teams: readonly TeamPart[];
  /** Tasks with a unique name. */
  readonly tasks: ReadonlyMap<string, TaskPart>;
  readonly contractOf: (task: TaskPart) => Contract | undefined;
}

function orchestrationOf({ view: { project }, contracts }: Listing, name: string): Flow | undefined {
  const path = project.index.ids('orchestration').get(name);
  const file = path === undefined ? undefined : project.documentAt(path)?.config;
  if (path === undefined || file === undefined || !isObject(file.value)) return undefined;
  const teams = teamsIn(file.value);
  const tasks = new Map<string, TaskPart>();
  const shared = new Set<string>();
  for (const task of teams.flatMap(tasksIn)) {
    if (task.name === undefined) continue;
    if (tasks.has(task.name)) shared.add(task.name);
    tasks.set(task.name, task);
  }
  for (const taskName of shared) tasks.delete(taskName);
  return { path, teams, tasks, contractOf: (task) => contracts.ofTask(file, task) };
}

function partsWithExample(value: JsonObject): readonly { readonly value: JsonObject; readonly pointer: string }[] {
  const cases = casesIn(value).flatMap(turnsIn);
  return Array.isArray(value.cases) ? [{ value, pointer: '' }, ...cases] : cases;
}

/** Keys of the input, for an agent in any version. */
function inputNames(listing: Listing, agent: string | undefined, flow: Flow | undefined): void {
  const { project, value } = listing.view;
  if (agent !== undefined && listing.wants('input-key')) {
    const places = new Map<string, InputPlace>();
    for (const version of project.index.versions(agent)) {
      const place = listing.contracts.inputOfAgent(`${agent}@${version}`);
      if (place !== undefined) places.set(`${place.file}#${place.at}`, place);
    }
    const inputs = [...places.values()];
    for (const part of casesIn(value).flatMap(turnsIn))
      if (listing.reaches(part.pointer)) inputKeyNames(listing, part.value.input, `${part.pointer}/input`, inputs);
  }
  if (flow === undefined || !listing.wants('context-key')) return;
  for (const { value: part, pointer } of casesIn(value)) {
    if (!listing.reaches(pointer) || !isObject(part.context)) continue;
    for (const name of Object.keys(part.context)) {
      const details = { target: 'key', isWrite: true, leadsTo: flow.path } as const;
      listing.add({ kind: 'context-key', file: flow.path, name }, `${pointer}/context${pointerOf(name)}`, details);
    }
  }
}

interface Scope {
  readonly answer: Contract | undefined;
  readonly flow: Flow | undefined;
}

function expectationNames(listing: Listing, expectation: JsonObject, pointer: string, { answer, flow }: Scope): void {
  const { judge, tool, task: taskName, output_field: path, context_field: context } = expectation;
  const task = typeof taskName === 'string' ? flow?.tasks.get(taskName) : undefined;
  switch (subjectKeyOf(expectation)) {
    case 'judge':
      agentReference(listing, judge, `${pointer}/judge`);
      if (typeof judge === 'string') fieldNames(listing, expectation, pointer, listing.contracts.ofAgent(judge));
      return;
    case 'tool':
      toolName(listing, tool, `${pointer}/tool`);
      return;
    case 'tools_in_order':
      for (const [index, name] of listOf(expectation.tools_in_order).entries())
        toolName(listing, name, `${pointer}/tools_in_order/${index}`);
      return;
    case 'route':
      if (flow !== undefined) teamNames(listing, expectation.value, `${pointer}/value`, flow);
      return;
    case 'context_field':
      if (flow !== undefined && typeof context === 'string') {
        const [name = ''] = context.split('.', 1);
        const details = { within: { start: 0, end: name.length }, leadsTo: flow.path };
        listing.add({ kind: 'context-key', file: flow.path, name }, `${pointer}/context_field`, details);
      }
      return;
    default:
  }
  if (flow !== undefined && task?.name !== undefined)
    listing.add({ kind: 'task', file: flow.path, team: task.team, name: task.name }, `${pointer}/task`, { leadsTo: flow.path });
  if (typeof path !== 'string') return;
  const contract = taskName === undefined ? answer : task && flow?.contractOf(task);
  fieldNames(listing, expectation, pointer, contract);
}

function toolName(listing: Listing, name: Json | undefined, pointer: string): void {
  skillName(listing, name, pointer);
  if (typeof name === 'string') prefixedToolName(listing, name, pointer);
}

function fieldNames(listing: Listing, expectation: JsonObject, pointer: string, contract: Contract | undefined): void {
  const { output_field: path } = expectation;
  if (contract === undefined || typeof path !== 'string') return;
  pathNames(listing, path.split('.'), `${pointer}/output_field`, 0, contract);
  comparedNames(listing, expectation, pointer, contract);
}

/** A route is a list of teams; `in` compares it with several, and `contains` with one. */
function teamNames(listing: Listing, value: Json | undefined, pointer: string, flow: Flow): void {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries())
      if (index < mostTeams) teamNames(listing, item, `${pointer}/${index}`, flow);
  } else if (typeof value === 'string' && flow.teams.some(({ id }) => id === value))
    listing.add({ kind: 'team', file: flow.path, name: value }, pointer, { leadsTo: flow.path });
}

/** A route has no further levels. */
const mostTeams = 10_000;
