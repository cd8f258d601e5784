import type { AgentStackError } from '../errors.js';
import { isObject, type JsonObject } from '../json.js';
import { parseJson } from '../jsonText/parseJson.js';
import { compareNatural, didYouMean, firstNames, nearestNames } from '../names.js';
import { shorten } from '../words.js';

/** An agent or orchestration that its file exposes, as other programs see it. */
export interface Exposed {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** Null for an orchestration. */
  readonly version: string | null;
  /** `name@version`, or the name of an orchestration. */
  readonly id: string;
  /** Project path of its file. */
  readonly file: string;
  /** What tool lists call it: letters, digits, `_` and `-`, at most 64, unique among what is exposed. */
  readonly tool_name: string;
  readonly description: string;
  /** A JSON Schema with an object at its root. */
  readonly input_schema: JsonObject;
  /** Absent where the answer is text. */
  readonly output_schema?: JsonObject;
  /** The key that takes a text which comes instead of an object; undefined where the input has several, or none for text. */
  readonly text_key: string | undefined;
  /** Whether its runs may call tools, whose effects nobody can foresee. */
  readonly calls_tools: boolean;
  /** Names of the models that its runs may ask, each once; none where every answer is simulated. */
  readonly models: readonly string[];
  /** Whether the text of its model is its answer as it comes: one call, without an output schema. */
  readonly streams_text: boolean;
  /** Why it cannot run as it is. */
  readonly refusal?: AgentStackError;
}

/** Before its name among the others is known. */
export type Unnamed = Omit<Exposed, 'tool_name'>;

/** What a program may call: `Agent` (the newest exposed version), `Agent@v1`, the name of an orchestration, or the name of the tool. */
export function findExposed(exposed: readonly Exposed[], wanted: string): Exposed | undefined {
  return exposed.find(({ tool_name }) => tool_name === wanted) ?? exposed.find(({ id }) => id === wanted) ?? newestOf(exposed, wanted);
}

/** A name with a character that tools may not have: `my.agent` is the tool `my_agent`. */
function newestOf(exposed: readonly Exposed[], wanted: string): Exposed | undefined {
  // Older versions have theirs in the name of the tool.
  return exposed.filter(({ name }) => name === wanted).sort((left, right) => left.tool_name.length - right.tool_name.length)[0];
}

/** Names that programs are told, the shortest of each: those of agents without a version where it is the newest. */
export function namesOfExposed(exposed: readonly Exposed[]): readonly string[] {
  return exposed.map((entry) => [entry.name, entry.id].find((name) => findExposed(exposed, name) === entry) ?? entry.tool_name);
}

/** Why nothing is exposed under this name, and what to do. Whether the project has something of that name is not for its callers to know. */
export function unknownWords(exposed: readonly Exposed[], wanted: string): string {
  const quoted = JSON.stringify(shorten(wanted, 100, '...'));
  const names = namesOfExposed(exposed);
  const nearest = nearestNames(wanted, [...names, ...exposed.map(({ id }) => id)]);
  const advice = names.length === 0 ? ' Nothing is served yet.' : ` There are: ${firstNames(names)}.`;
  return `There is no ${quoted}.${didYouMean(nearest)}${nearest.length > 0 ? '' : advice} Only what has "expose": true in its file is served.`;
}

/** The length and the characters of tool names that every client and model takes. */
const longest = 64;

/**
 * Names for everything that is exposed, sorted by them. The newest exposed version of an agent has the agent's name, as on the command line; older ones
 * have their version behind it: `Agent`, `Agent_v1`. What would clash gets a number.
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
 * Whether a config text says `"expose": true` at its root. A text that is broken at the moment counts as exposed where it has these words anywhere: what
 * is offered does not vanish while its file is being written.
 */
export function saysExpose(text: string): boolean {
  if (!words.test(text)) return false;
  const { value } = parseJson(text);
  return value === undefined || (isObject(value) && value.expose === true);
}

const words = /"expose"\s*:\s*true/;
