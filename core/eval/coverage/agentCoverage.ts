import type { RunResult } from '../../agent/events.js';
import { namesOf } from '../../config/toolChoice.js';
import { type Json, pointerOf, segmentsOf } from '../../json.js';
import { OutputContract } from '../../schema/outputContract.js';
import type { FrozenTool } from '../../snapshot/agentTools.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import { shorten } from '../../words.js';
import { answeredChoices, listedChoices } from './choicePlaces.js';

/** The parts of a run that coverage reads, also in results stored without their conversation. */
export interface CoveredRun {
  readonly status: RunResult['status'];
  readonly output: Json;
  readonly tool_calls: readonly { readonly name: string }[];
  readonly metadata: { readonly repairs: readonly { readonly keyword: string; readonly path: string }[] };
}

/**
 * The coverage of an agent by its runs: the values that its output schema lists, its tools and its defaults. A pure function. Each item is placed in
 * the file that declares it, which may be a persona or the system. Call overrides, and tools of servers that have not been listed, are left out.
 *
 * @param resolved the agent as resolved from its files: a snapshot has no origins
 * @returns in the order of the config; each place once
 */
export function agentCoverage(resolved: ResolvedAgent, runs: Iterable<CoveredRun>): readonly Coverable[] {
  const coverables = new Map<string, Coverable & { hits: number }>();
  const add = (key: string, kind: CoverableKind, label: string, path: readonly string[]) => {
    const origin = resolved.sources?.config.originAt([...path]) ?? resolved.origins.get(pointerOf(...path));
    if (origin?.file != null) coverables.set(key, { kind, file: origin.file, pointer: origin.pointer, label, hits: 0 });
  };
  const { output_schema, defaults = {} } = resolved.config;
  const contract = output_schema && new OutputContract(output_schema);
  for (const { pointer, field, value } of contract ? listedChoices(contract) : [])
    add(`enum ${pointer}`, 'enum_value', `${field}: ${textOf(value)}`, ['output_schema', ...segmentsOf(pointer)]);
  for (const tool of resolved.tools) add(`tool ${tool.name}`, 'tool', tool.name, placeOfTool(resolved, tool));
  for (const name of Object.keys(defaults)) add(`default ${name}`, 'default', `${name}: ${textOf(defaults[name])}`, ['defaults', name]);

  for (const { status, output, tool_calls, metadata } of runs) {
    const reached = new Set(tool_calls.map(({ name }) => `tool ${name}`));
    if (status === 'completed') {
      for (const pointer of contract ? answeredChoices(contract, output) : []) reached.add(`enum ${pointer}`);
      for (const { keyword, path } of metadata.repairs) if (keyword === 'default') reached.add(`default ${segmentsOf(path)[0]}`);
    }
    for (const key of reached) {
      const coverable = coverables.get(key);
      if (coverable !== undefined) coverable.hits += 1;
    }
  }
  return [...coverables.values()];
}

/** The entry of `enabled_tools` that names the tool, else that of its server in `client_ids`, else the agent. */
function placeOfTool({ config: { enabled_tools = [], client_ids = [] } }: ResolvedAgent, tool: FrozenTool): readonly string[] {
  const { name, origin } = tool;
  const bare = origin.type === 'mcp' ? origin.name : name;
  const names = namesOf({ name, tool: { name: bare, origin } });
  const enabled = enabled_tools.findIndex((entry) => names.includes(entry));
  if (enabled >= 0) return ['enabled_tools', String(enabled)];
  const server = origin.type === 'mcp' ? client_ids.indexOf(origin.client_id) : -1;
  return server >= 0 ? ['client_ids', String(server)] : ['agent_name'];
}

/** The longest value in a label, in UTF-16 units; longer ones are truncated. */
const longestLabel = 60;

function textOf(value: Json | undefined): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), longestLabel);
}

/** The kinds of items that cases can cover. */
export type CoverableKind = 'enum_value' | 'tool' | 'default' | 'route';

/** One item that cases can cover, its place, and how many runs covered it. Plain JSON. */
export interface Coverable {
  readonly kind: CoverableKind;
  /** Project path. */
  readonly file: string;
  /** JSON pointer in that file. */
  readonly pointer: string;
  /** To be shown: `tone: formal`, `search_files`, `sort, rule 1 -> answer`. */
  readonly label: string;
  /** The runs that covered it; for an agent in an orchestration, the executions of its task. */
  readonly hits: number;
}

/** Merges the coverage of several subjects or profiles: each place once with all its hits, in the order of first occurrence. */
export function mergeCoverage(lists: Iterable<readonly Coverable[]>): readonly Coverable[] {
  const merged = new Map<string, Coverable>();
  for (const coverable of [...lists].flat()) {
    const key = JSON.stringify([coverable.kind, coverable.file, coverable.pointer, coverable.label]);
    const before = merged.get(key);
    merged.set(key, before === undefined ? coverable : { ...before, hits: before.hits + coverable.hits });
  }
  return [...merged.values()];
}
