import { durationText, usdBoundText } from '../amounts.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';
import { isEqual } from '../jsonText/jsonCompare.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import { plural, shorten } from '../words.js';
import { type ComparedSide, placeOf } from './comparedSide.js';
import { coverServer, type Grant, type Grants, grantsOf, serversOf, toolName } from './grants.js';
import { pairAgents, placesOf, type SideAgent, together } from './pairAgents.js';
import type { DiffPlace, PermissionChange } from './types.js';

export interface PermissionOptions {
  /** Whether the file of the subject has `"expose": true`; a side that is left out is not known, and not compared. */
  readonly exposed?: { readonly before?: boolean; readonly after?: boolean; readonly place: DiffPlace | null };
}

type Change = Omit<PermissionChange, 'also'>;

/**
 * What a subject may do after a change that it could not before, and the reverse. An agent that only one side has counts with what no agent of the
 * other side could do.
 */
export function comparePermissions(
  before: ComparedSide,
  after: ComparedSide,
  { exposed }: PermissionOptions = {},
): readonly PermissionChange[] {
  const pairs = pairAgents(before, after).map((pair) => ({
    ...pair,
    old: pair.before && grantsOf(pair.before),
    current: pair.after && grantsOf(pair.after),
  }));
  const all = { before: union(pairs.map(({ old }) => old)), after: union(pairs.map(({ current }) => current)) };
  const changes = pairs.flatMap(({ instance, before: left, after: right, old, current }): readonly Change[] => [
    ...difference(instance, old ?? all.before, current ?? all.after, { gains: current !== undefined, losses: old !== undefined }),
    ...(left && right ? [...fileChanges(instance, left, right), ...definitionChanges(instance, left, right)] : []),
    ...(left && right ? limitChanges(instance, agentLimits(left), agentLimits(right)) : []),
  ]);
  const name = after.value.name;
  return [
    ...together(
      changes.map((change): PermissionChange => ({ ...change, also: [] })),
      ({ direction, subject, name, message }) => JSON.stringify([direction, subject, name, message]),
    ),
    ...[
      ...taskAgentChanges(before, after),
      ...limitChanges(name, orchestrationLimits(before, after), orchestrationLimits(after, before)),
      ...exposureChanges(name, exposed),
    ].map((change) => ({ ...change, also: [] })),
  ];
}

function union(all: readonly (Grants | undefined)[]): Grants {
  return new Map(all.flatMap((grants) => [...(grants ?? [])]));
}

/** @param wanted whether what is gained, and what is lost, is reported: an agent that is new loses nothing */
function difference(
  instance: string,
  before: Grants,
  after: Grants,
  wanted: { readonly gains: boolean; readonly losses: boolean },
): readonly Change[] {
  const isNew = (key: string, { coveredBy = [] }: Grant, other: Grants) => ![key, ...coveredBy].some((known) => other.has(known));
  const only = (side: Grants, other: Grants) =>
    [...side].filter(
      ([key, grant]) => isNew(key, grant, other) && (grant.within === undefined || !side.has(grant.within) || other.has(grant.within)),
    );
  const word = (isGained: boolean) => (isGained ? 'widened' : 'narrowed');
  const tell = (grants: readonly (readonly [string, Grant])[], isAfter: boolean) =>
    grants.flatMap(([, { subject, name, gained, lost, place, isLimit }]): readonly Change[] => {
      const isGained = isAfter !== (isLimit === true);
      if (!(isAfter ? wanted.gains : wanted.losses) || (isLimit && wanted.gains !== wanted.losses)) return [];
      return [{ direction: word(isGained), instance, subject, name, message: isGained ? gained : lost, place: place ?? null }];
    });
  return [...tell(only(after, before), true), ...tell(only(before, after), false)];
}

/** Fields of a server that decide what it is. Its time limit does not. */
const serverFields = ['command', 'args', 'env', 'cwd', 'url', 'headers'] as const;

/** What became another thing under the same name, or is named by a variable: it is not known whether that may do more. */
function* definitionChanges(instance: string, before: SideAgent, after: SideAgent): Generator<Change> {
  for (const field of ['client_ids', 'enabled_tools', 'exclude_components'] as const) {
    const [old, current] = [variablesIn(before, field), variablesIn(after, field)];
    for (const [entry, place] of [...current, ...old]) {
      if (old.has(entry) && current.has(entry)) continue;
      const message = `${field} ${current.has(entry) ? 'names' : 'no longer names'} ${entry}: only a run knows which that is.`;
      yield {
        direction: 'unknown',
        instance,
        subject: field === 'client_ids' ? 'server' : 'tool',
        name: entry,
        message,
        place: place ?? null,
      };
    }
  }
  const other = serversOf(before);
  for (const [id, server] of serversOf(after)) {
    const old = other.get(id);
    if (old === undefined) continue;
    const [shownBefore, shownAfter] = [coverServer(old), coverServer(server)];
    for (const field of serverFields) {
      if (isEqual(old[field] ?? null, server[field] ?? null) || isToldOtherwise(field, old, server)) continue;
      const [left, right] = [shown(shownBefore[field]), shown(shownAfter[field])];
      const how = left === right ? 'is different in a secret' : `is ${right}, before ${left}`;
      const message = `For the server ${id}, ${field} ${how}.`;
      const pointer = pointerOf('servers', id, field);
      yield {
        direction: 'unknown',
        instance,
        subject: 'server',
        name: id,
        message,
        place: placeOf(after.side, pointer) ?? placeOf(before.side, pointer) ?? null,
      };
    }
  }
  const tools = new Map(before.agent.resolved.tools.map((tool) => [`${tool.origin.type} ${toolName(tool)}`, tool]));
  for (const tool of after.agent.resolved.tools) {
    const old = tools.get(`${tool.origin.type} ${toolName(tool)}`);
    if (old === undefined) continue;
    const parts = [
      ...(old.description === tool.description ? [] : ['description']),
      ...(isEqual(old.parameters, tool.parameters) ? [] : ['parameters']),
    ];
    if (parts.length === 0) continue;
    const message = `What ${toolName(tool)} does may be different: its ${parts.join(' and ')} changed.`;
    const place = tool.source && { ...tool.source, side: after.side.side };
    yield { direction: 'unknown', instance, subject: 'tool', name: toolName(tool), message, place };
  }
}

/** The entries of a list that contain a variable without a value, with their places. */
function variablesIn(
  at: SideAgent,
  field: 'client_ids' | 'enabled_tools' | 'exclude_components',
): ReadonlyMap<string, DiffPlace | undefined> {
  const place = placesOf(at).config;
  const entries = at.agent.resolved.config[field] ?? [];
  return new Map(entries.flatMap((entry, index) => (entry.includes('${') ? [[entry, place(pointerOf(field, index))] as const] : [])));
}

/** By the folders of a file server, or by the host. */
function isToldOtherwise(field: string, before: JsonObject, after: JsonObject): boolean {
  if (field === 'url')
    return (
      [before, after].every(({ url }) => typeof url === 'string' && URL.canParse(url)) &&
      new URL(String(before.url)).host !== new URL(String(after.url)).host
    );
  if (field !== 'args') return false;
  const [left, right] = [folderArguments(before), folderArguments(after)];
  return left !== undefined && right !== undefined && isEqual(left.others, right.others);
}

function shown(value: Json | undefined): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value), 200);
}

/** The folders that the reference file server may reach are the arguments after its name. */
function folderArguments({
  command,
  args,
}: JsonObject): { readonly folders: readonly string[]; readonly others: readonly string[] } | undefined {
  const words = [String(command), ...listOf(args).map(String)];
  const at = words.findIndex((word) => /(?:^|[\\/])(?:server-filesystem|mcp-server-filesystem)(?:@[^/\\]*)?$/.test(word));
  if (at < 0) return undefined;
  const serverArguments = words.slice(at + 1);
  return {
    folders: serverArguments.filter((word) => !word.startsWith('-')),
    others: [...words.slice(0, at + 1), ...serverArguments.filter((word) => word.startsWith('-'))],
  };
}

function* fileChanges(instance: string, before: SideAgent, after: SideAgent): Generator<Change> {
  const other = serversOf(before);
  for (const [id, server] of serversOf(after)) {
    const old = other.get(id);
    const [left, right] = [old && folderArguments(old), folderArguments(server)];
    if (left === undefined || right === undefined) continue;
    const tell = (folders: readonly string[], others: readonly string[], direction: 'widened' | 'narrowed', { side }: SideAgent) =>
      folders
        .filter((folder) => !others.some((outer) => isInside(folder, outer)))
        .map((folder): Change => {
          const message = `It may ${direction === 'widened' ? '' : 'no longer '}reach the files in ${folder}, by the server ${id}.`;
          const index = listOf((direction === 'widened' ? server : old)?.args).indexOf(folder);
          const place = placeOf(side, pointerOf('servers', id, 'args', index)) ?? null;
          return { direction, instance, subject: 'files', name: folder, message, place };
        });
    yield* tell(right.folders, left.folders, 'widened', after);
    yield* tell(left.folders, right.folders, 'narrowed', before);
  }
}

/** As written: variables are compared as text, and a path that climbs out of a folder is in it only if it is the same. */
function isInside(folder: string, outer: string): boolean {
  const plain = (path: string) =>
    path
      .replaceAll('\\', '/')
      .replace(/(?<=.)\/+$/, '')
      .replace(/^\.\/(?=.)/, '');
  const [inner, root] = [plain(folder), plain(outer)];
  if (inner === root) return true;
  return (
    !inner.split('/').includes('..') &&
    inner.startsWith(root === '/' ? '/' : root === '.' && !/^[/~$]|^[A-Za-z]:/.test(inner) ? '' : `${root}/`)
  );
}

/** A number that bounds what may happen; undefined for none. */
interface Limit {
  readonly value: number | undefined;
  /** `It may take`, to be followed by the amount. */
  readonly words: string;
  readonly amount: (value: number) => string;
  readonly place: DiffPlace | undefined;
}

type Limits = ReadonlyMap<string, Limit>;

function agentLimits(at: SideAgent): Limits {
  const { agent_type, max_iterations, timeout_ms, budget = {}, execution_plan } = at.agent.resolved.config;
  const place = placesOf(at).config;
  const limits: [string, Limit][] = [
    ['timeout_ms', { value: timeout_ms, words: 'A run may take', amount: durationText, place: place('/timeout_ms') }],
    ['max_cost', { value: budget.max_cost, words: 'A run may cost', amount: usdBoundText, place: place('/budget/max_cost') }],
    [
      'max_time_ms',
      { value: budget.max_time_ms, words: 'The budget of a run allows', amount: durationText, place: place('/budget/max_time_ms') },
    ],
  ];
  if (agent_type === 'react')
    limits.push([
      'max_iterations',
      { value: max_iterations, words: 'A run may take', amount: (count) => plural(count, 'turn'), place: place('/max_iterations') },
    ]);
  if (agent_type !== 'orchestrating') return new Map(limits);
  for (const [index, step] of listOf(execution_plan?.steps).entries()) {
    if (!isObject(step) || !isObject(step.repeat) || typeof step.repeat.max !== 'number') continue;
    const words = `The step ${String(step.name)} may run`;
    const where = place(pointerOf('execution_plan', 'steps', index, 'repeat', 'max'));
    limits.push([`repeat ${String(step.name)}`, { value: step.repeat.max, words, amount: times, place: where }]);
  }
  return new Map(limits);
}

/** A team's own limit is one only where a side has it. */
function orchestrationLimits(side: ComparedSide, other: ComparedSide): Limits {
  const { orchestration } = side.value;
  if (orchestration === undefined) return new Map();
  const { max_total_teams, max_recursion_depth, teams } = orchestration;
  const place = (...path: readonly string[]) => placeOf(side, pointerOf('orchestration', ...path));
  const limits: [string, Limit][] = [
    [
      'max_total_teams',
      { value: max_total_teams, words: 'A run may go through', amount: (count) => plural(count, 'team'), place: place('max_total_teams') },
    ],
    ['max_recursion_depth', { value: max_recursion_depth, words: 'A team may run', amount: times, place: place('max_recursion_depth') }],
  ];
  for (const [name, team] of Object.entries(teams)) {
    const otherTeam = other.value.orchestration?.teams[name];
    if (otherTeam === undefined || (team.max_recursion_depth ?? otherTeam.max_recursion_depth) === undefined) continue;
    if (team.max_recursion_depth === otherTeam.max_recursion_depth) continue;
    const where = place('teams', name, 'max_recursion_depth');
    limits.push([
      `team ${name}`,
      { value: team.max_recursion_depth ?? max_recursion_depth, words: `The team ${name} may run`, amount: times, place: where },
    ]);
  }
  return new Map(limits);
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Limits that both sides have. */
function limitChanges(instance: string, before: Limits, after: Limits): readonly Change[] {
  return [...after].flatMap(([name, { value, words, amount, place }]): readonly Change[] => {
    const old = before.get(name);
    if (old === undefined || old.value === value) return [];
    const [left, right] = [old.value ?? Number.POSITIVE_INFINITY, value ?? Number.POSITIVE_INFINITY];
    const message =
      value === undefined
        ? `${words} any amount: the limit of ${amount(left)} is gone.`
        : `${words} at most ${amount(value)}, ${old.value === undefined ? 'where there was no limit' : `before at most ${amount(old.value)}`}.`;
    const direction = right > left ? 'widened' : 'narrowed';
    return [{ direction, instance, subject: 'limit', name, message, place: place ?? old.place ?? null }];
  });
}

/** The agents and personas that the tasks of an orchestration run. */
function taskAgentChanges(before: ComparedSide, after: ComparedSide): readonly Change[] {
  const [left, right] = [taskAgents(before), taskAgents(after)];
  const tell = (side: ReadonlyMap<string, TaskAgent>, other: ReadonlyMap<string, TaskAgent>, direction: 'widened' | 'narrowed') =>
    [...side].flatMap(([key, { what, name, instance, place }]): readonly Change[] => {
      if (other.has(key)) return [];
      const message =
        direction === 'widened' ? `A run may use ${what} ${name}, in the task ${instance}.` : `No task uses ${what} ${name} any more.`;
      return [{ direction, instance, subject: 'agent', name, message, place: place ?? null }];
    });
  return before.value.kind !== after.value.kind ? [] : [...tell(right, left, 'widened'), ...tell(left, right, 'narrowed')];
}

interface TaskAgent {
  readonly what: 'the agent' | 'the persona';
  readonly name: string;
  readonly instance: string;
  readonly place: DiffPlace | undefined;
}

function taskAgents(side: ComparedSide): ReadonlyMap<string, TaskAgent> {
  const agents = new Map<string, TaskAgent>();
  for (const [team, { tasks }] of Object.entries(side.value.orchestration?.teams ?? {})) {
    for (const [index, { name: task, agent, persona_key }] of tasks.entries()) {
      const name = agent?.replace(/@[^@]*$/, '') ?? persona_key;
      const what = agent === undefined ? 'the persona' : 'the agent';
      if (name === undefined || agents.has(`${what} ${name}`)) continue;
      const place = placeOf(side, pointerOf('orchestration', 'teams', team, 'tasks', index, agent === undefined ? 'persona_key' : 'agent'));
      agents.set(`${what} ${name}`, { what, name, instance: instanceOf(team, task), place });
    }
  }
  return agents;
}

function exposureChanges(instance: string, exposed: PermissionOptions['exposed']): readonly Change[] {
  if (exposed?.before === undefined || exposed.after === undefined || exposed.before === exposed.after) return [];
  const direction = exposed.after ? 'widened' : 'narrowed';
  const message = exposed.after
    ? 'Other programs may run it: it is offered as an MCP tool, a model name and a language-model tool.'
    : 'Other programs may no longer run it: it is not offered to them any more.';
  return [{ direction, instance, subject: 'exposure', name: instance, message, place: exposed.place }];
}
