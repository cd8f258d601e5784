import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';

/** A team of an orchestration, as written. */
export interface TeamPart {
  readonly id: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

/** A task of a team, as written. */
export interface TaskPart {
  readonly team: string;
  /** Undefined if it is missing or not a string. */
  readonly name: string | undefined;
  readonly value: JsonObject;
  readonly pointer: string;
}

/** One way out of a team: a rule, or its `default`. */
export interface RoutePart {
  readonly next: Json;
  /** Pointer of the `next_team` or `default`. */
  readonly pointer: string;
}

/** One comparison or status test of a condition, as written. */
export interface ConditionPart {
  readonly value: JsonObject;
  readonly pointer: string;
  /** The task or step it tests, and where that is named; undefined for the context. */
  readonly task: { readonly name: string; readonly pointer: string } | undefined;
}

/** Teams that are objects, in file order. Any JSON is accepted: files are checked while they are being written. */
export function teamsIn(orchestration: Json | undefined): readonly TeamPart[] {
  if (!isObject(orchestration) || !isObject(orchestration.teams)) return [];
  return Object.entries(orchestration.teams).flatMap(([id, value]) =>
    isObject(value) ? [{ id, value, pointer: pointerOf('teams', id) }] : [],
  );
}

/** Tasks that are objects, in file order. */
export function tasksIn({ id, value, pointer }: TeamPart): readonly TaskPart[] {
  return listOf(value.tasks).flatMap((task, index) => {
    if (!isObject(task)) return [];
    const name = typeof task.name === 'string' ? task.name : undefined;
    return [{ team: id, name, value: task, pointer: `${pointer}/tasks/${index}` }];
  });
}

/** The routing of a team: without one, the run ends after it. */
export function routingOf({ routing = theEnd }: JsonObject): JsonObject {
  return isObject(routing) ? routing : {};
}

const theEnd: JsonObject = Object.freeze({ default: null });

/** Routing rules of a team that are objects, in file order. */
export function rulesIn({ value: { routing }, pointer }: TeamPart): readonly { readonly value: JsonObject; readonly pointer: string }[] {
  return (isObject(routing) ? listOf(routing.rules) : []).flatMap((value, index) =>
    isObject(value) ? [{ value, pointer: `${pointer}/routing/rules/${index}` }] : [],
  );
}

/** Where a run may go from a team: `next_team` of its rules, then `default`. */
export function routesIn(team: TeamPart): readonly RoutePart[] {
  const routes = rulesIn(team).map(({ value, pointer }) => ({ next: value.next_team, pointer: `${pointer}/next_team` }));
  const fallback = isObject(team.value.routing) ? team.value.routing.default : undefined;
  return [...routes, { next: fallback, pointer: `${team.pointer}/routing/default` }].filter(
    (route): route is RoutePart => route.next !== undefined,
  );
}

/** Every comparison of a team's rules. */
export function conditionsIn(team: TeamPart): readonly ConditionPart[] {
  return rulesIn(team).flatMap(({ value, pointer }) => comparisonsIn(value.condition, `${pointer}/condition`));
}

/** The comparisons of one condition, in file order. Deep nesting needs no stack. */
export function comparisonsIn(condition: Json | undefined, pointer: string): readonly ConditionPart[] {
  const parts: ConditionPart[] = [];
  const open: { readonly value: Json | undefined; readonly pointer: string }[] = [{ value: condition, pointer }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, pointer: at } = next;
    if (Array.isArray(value))
      for (const [index, part] of [...value.entries()].reverse()) open.push({ value: part, pointer: `${at}/${index}` });
    else if (isObject(value) && Array.isArray(value.any)) open.push({ value: value.any, pointer: `${at}/any` });
    else if (isObject(value) && value.not !== undefined) open.push({ value: value.not, pointer: `${at}/not` });
    else if (isObject(value)) parts.push({ value, pointer: at, task: taskNamedIn(value, at) });
  }
  return parts;
}

/** `step` is the word for `task` in plans; either is accepted in both. */
function taskNamedIn({ task, step }: JsonObject, pointer: string): ConditionPart['task'] {
  if (typeof task === 'string') return { name: task, pointer: `${pointer}/task` };
  return task === undefined && typeof step === 'string' ? { name: step, pointer: `${pointer}/step` } : undefined;
}

/** A key of the input of an orchestration. */
export interface InputKey {
  readonly name: string;
  /** Its schema, where one is written. */
  readonly schema: Json | undefined;
  /** Its value in `context`; undefined if it has none. */
  readonly fallback: Json | undefined;
  readonly isRequired: boolean;
}

interface InputFields {
  readonly input_keys?: Json | readonly string[];
  readonly input_schema?: Json;
  readonly context?: Json;
}

/** The keys that an orchestration names, as it is written or frozen: those of its schema, of `input_keys` and of its context, in this order. */
export function orchestrationInputs({ input_keys, input_schema, context }: InputFields): readonly InputKey[] {
  const properties = memberObject(input_schema, 'properties');
  const defaults = isObject(context) ? context : {};
  const listed = listOf(input_keys as Json | undefined).filter((key) => typeof key === 'string');
  const needed = new Set<Json>([...listed, ...(isObject(input_schema) ? listOf(input_schema.required) : [])]);
  const names = new Set([...Object.keys(properties), ...listed, ...Object.keys(defaults)]);
  const memberOf = (owner: JsonObject, name: string) => (Object.hasOwn(owner, name) ? owner[name] : undefined);
  return [...names].map((name) => {
    const fallback = memberOf(defaults, name);
    return { name, schema: memberOf(properties, name), fallback, isRequired: fallback === undefined && needed.has(name) };
  });
}

function memberObject(owner: Json | undefined, name: string): JsonObject {
  const member = isObject(owner) && Object.hasOwn(owner, name) ? owner[name] : undefined;
  return isObject(member) ? member : {};
}
