import type { AgentStackError } from '../errors.js';
import { isObject, type JsonObject } from '../json.js';
import { parseJson } from '../jsonText/parseJson.js';
import { compareNatural, didYouMean, firstNames, nearestNames } from '../names.js';
import { shorten } from '../words.js';

/** An agent or orchestration that is exposed to other programs. */
export interface Exposed {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** Null for an orchestration. */
  readonly version: string | null;
  /** `name@version`, or the name of an orchestration. */
  readonly id: string;
  /** Project path of its file. */
  readonly file: string;
  /** Its name in tool lists: letters, digits, `_` and `-`, at most 64, unique. */
  readonly tool_name: string;
  readonly description: string;
  /** A JSON Schema with an object at its root. */
  readonly input_schema: JsonObject;
  /** Absent if the answer is text. */
  readonly output_schema?: JsonObject;
  /** The key for an input that is a text instead of an object; undefined if there are several keys, or none accepts text. */
  readonly text_key: string | undefined;
  /** Whether its runs may call tools, whose effects are unknown. */
  readonly calls_tools: boolean;
  /** Names of the models that its runs may call, each once; empty if every answer is simulated. */
  readonly models: readonly string[];
  /** Whether the model's text is the answer while it streams: one call, without an output schema. */
  readonly streams_text: boolean;
  /** Why it cannot run. */
  readonly refusal?: AgentStackError;
}

/** Before its tool name is chosen. */
export type Unnamed = Omit<Exposed, 'tool_name'>;

/** Finds by `Agent` (the newest exposed version), `Agent@v1`, the name of an orchestration, or the name of the tool. */
export function findExposed(exposed: readonly Exposed[], query: string): Exposed | undefined {
  return exposed.find(({ tool_name }) => tool_name === query) ?? exposed.find(({ id }) => id === query) ?? newestOf(exposed, query);
}

/** By a name with a character that tools may not have: `my.agent` is the tool `my_agent`. */
function newestOf(exposed: readonly Exposed[], query: string): Exposed | undefined {
  // The tool names of older versions are longer.
  return exposed.filter(({ name }) => name === query).sort((left, right) => left.tool_name.length - right.tool_name.length)[0];
}

/** The shortest name of each: that of an agent without the version if it is the newest. */
export function namesOfExposed(exposed: readonly Exposed[]): readonly string[] {
  return exposed.map((entry) => [entry.name, entry.id].find((name) => findExposed(exposed, name) === entry) ?? entry.tool_name);
}

/** The error for an unknown name. It does not reveal whether the project has something unexposed with that name. */
export function unknownWords(exposed: readonly Exposed[], query: string): string {
  const quoted = JSON.stringify(shorten(query, 100, '...'));
  const names = namesOfExposed(exposed);
  const nearest = nearestNames(query, [...names, ...exposed.map(({ id }) => id)]);
  const advice = names.length === 0 ? ' Nothing is served yet.' : ` There are: ${firstNames(names)}.`;
  return `There is no ${quoted}.${didYouMean(nearest)}${nearest.length > 0 ? '' : advice} Only what has "expose": true in its file is served.`;
}

/** The longest tool name that every client and model accepts. */
const longest = 64;

/**
 * Adds tool names, and sorts by them. The newest exposed version of an agent has the agent's name, as on the command line; older ones also have
 * their version: `Agent`, `Agent_v1`. A clashing name gets a number.
 */
export function nameTools(exposed: readonly Unnamed[]): readonly Exposed[] {
  const newest = new Map<string, string>();
  for (const { kind, name, version } of exposed) {
    if (kind !== 'agent' || version === null) continue;
    const newestVersion = newest.get(name);
    if (newestVersion === undefined || compareNatural(newestVersion, version) < 0) newest.set(name, version);
  }
  const taken = new Set<string>();
  // Agents first, so that an orchestration of the same name does not rename them.
  const inOrder = [...exposed].sort(
    (left, right) =>
      left.kind.localeCompare(right.kind) || Number(isNewest(right)) - Number(isNewest(left)) || compareNatural(left.id, right.id),
  );
  const named = inOrder.map((entry): Exposed => ({ ...entry, tool_name: free(isNewest(entry) ? entry.name : entry.id, taken) }));
  return named.sort((left, right) => compareNatural(left.tool_name, right.tool_name));

  function isNewest({ kind, name, version }: Unnamed): boolean {
    return kind === 'orchestration' || newest.get(name) === version;
  }
}

function free(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_');
  let unique = plain.slice(0, longest);
  for (let number = 2; taken.has(unique.toLowerCase()); number += 1) {
    const end = `_${number}`;
    unique = plain.slice(0, longest - end.length) + end;
  }
  taken.add(unique.toLowerCase());
  return unique;
}

/**
 * Whether a config text has `"expose": true` at its root. A text with a syntax error counts as exposed if it has these words anywhere, so that a
 * tool does not vanish while its file is being edited.
 */
export function saysExpose(text: string): boolean {
  if (!words.test(text)) return false;
  const { value } = parseJson(text);
  return value === undefined || (isObject(value) && value.expose === true);
}

const words = /"expose"\s*:\s*true/;
