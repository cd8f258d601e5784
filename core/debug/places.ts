import { getLocation } from 'jsonc-parser';
import type { Stop } from '../agent/gate.js';
import type { FileIdentity } from '../config/configFile.js';
import { isObject, type Json, parseObject, pointerOf } from '../json.js';
import { isPromptText, jsonTextOf } from '../jsonText/promptText.js';
import { lineStarts } from '../jsonText/textPositions.js';
import { agentPlace, firstCall, isOfServer, isTool } from './agentPlaces.js';
import type { SetAt } from './fileChanges.js';
import { modelCalls, type NoPlace, type Path, type PlaceStops, toolCalls } from './placeTypes.js';
import { teamPlace } from './teamPlaces.js';
import { overlap, type Site } from './usedPlaces.js';

/** What the debugged run is. */
export interface Launched {
  readonly orchestration?: string | undefined;
  /** The payload file of its case. */
  readonly payload?: string | undefined;
}

/** A file in which a breakpoint is set. */
export interface PlaceFile {
  /** Project path. */
  readonly file: string;
  readonly identity: FileIdentity | undefined;
  readonly text: string;
  readonly launched: Launched;
}

/** An entry of `expect`; null: all of them. */
interface Expectation {
  readonly expectation: number | null;
}

/** A line at which a run can stop, or why it cannot. `expectation`: it is judged when the run is over. */
export type Place = ((PlaceStops | Expectation) & { readonly setAt: SetAt }) | NoPlace;

const nothing: NoPlace = { reason: 'Nothing on this line is sent, called or decided.' };

/**
 * What stops at a line of a config file.
 *
 * @param line from 1
 */
export function placeAt({ file, identity, text, launched }: PlaceFile, line: number): Place {
  if (identity === undefined) return { reason: notConfig(file) };
  const { json, fromFile } = jsonTextOf(file, text);
  const starts = lineStarts(text);
  const start = starts[line - 1];
  if (start === undefined) return { reason: `The file has only ${starts.length} lines.` };
  const content = text.slice(start, starts[line] ?? text.length);
  // An opening bracket alone stands for what it opens.
  const first = isPromptText(file) ? Math.max(0, content.search(/\S/)) : content.search(/[^\s[\]{},]|[[{](?=[\s[{]*$)/);
  if (first < 0) return nothing;
  const path = getLocation(json, fromFile(start + first) + 1).path.filter((part) => part !== '');
  const root = parseObject(json);
  if (root === undefined) return { reason: 'This file is not JSON at the moment, so nothing in it can be found in the run.' };
  const site = { file, pointer: pointerOf(...path), ...(identity.kind === 'agent' && { agent: identity.id }) };
  const place = placeOf(path, root, site, identity, launched);
  if ('reason' in place) return place;
  return { ...place, setAt: { ...site, line, text: content.replace(/[\r\n]+$/, ''), value: valueIn(root, path) } };
}

function notConfig(file: string): string {
  if (/\.[cm]?[jt]sx?$/.test(file))
    return 'Code is stopped by its own debugger. To stop before a tool is called, set the breakpoint in enabled_tools of the agent.';
  return 'This file is no config file of the project.';
}

function placeOf(
  path: Path,
  root: Json,
  site: Site,
  { kind, name, agent = '' }: FileIdentity,
  { orchestration, payload }: Launched,
): PlaceStops | NoPlace | Expectation {
  const from = (skipped: number) => agentPlace(path.slice(skipped), (length) => valueIn(root, path.slice(0, length + skipped)), site);
  const [first, second, third] = path;
  switch (kind) {
    case 'agent':
    case 'persona':
    case 'prompt':
      return from(0);
    case 'llm':
      return llmPlace(name);
    case 'system':
      if (first === 'llms' && typeof second === 'string') return llmPlace(second);
      if ((first === 'agent_defaults' || first === 'persona_defaults') && second !== undefined) return from(1);
      if (first === 'agents' && third !== undefined) return from(2);
      if (first === 'policy')
        return { reason: 'What the policy denies is no place of its own: turn on the exception breakpoint "Denied tool calls".' };
      return { reason: 'These settings stop a run at the fields they give to agents, and at their llms.' };
    case 'orchestration':
      if (orchestration !== name) return { reason: `This launch does not run the orchestration ${name}.` };
      return teamPlace(path, (length) => valueIn(root, path.slice(0, length)), site);
    case 'mcp':
      if (first !== 'servers' || typeof second !== 'string')
        return { reason: 'The list of servers stops a run at a server: before a call of its tools.' };
      return { kinds: toolCalls, isAt: (stop) => isTool(stop, (tool) => isOfServer(tool, second)) };
    case 'lock':
      if (first !== 'servers' || typeof second !== 'string') return { reason: 'The lock stops a run at a tool: before it is called.' };
      return describedTools(site);
    case 'settings':
      if (first === 'skills' && typeof second === 'string') return describedTools(site);
      if (first === 'models' && typeof second === 'string')
        return { kinds: modelCalls, isAt: (stop) => stop.at !== 'route' && stop.agent.resolved.config.model_name === second };
      return { reason: 'The settings stop a run at a skill (before it is called) and at a model (before a call).' };
    case 'payload':
      return payloadPlace(path, `${agent}/${name}`, site.file === payload);
    case 'baseline':
      return { reason: 'Verdicts of evals are not read by a run.' };
    case 'rootMcp':
    case 'vscodeMcp':
      return { reason: 'Agents of the project have the servers of config/mcp.json, not these of other tools.' };
  }
}

/** Before each call with a profile. */
function llmPlace(id: string): PlaceStops {
  return { kinds: modelCalls, isAt: (stop) => stop.at !== 'route' && stop.agent.resolved.llm.llm_id === id };
}

/** Before a call of each tool that a file describes at a place. */
function describedTools({ file, pointer }: Site): PlaceStops {
  const isDescribed = (stop: Stop, name: string) =>
    stop.at !== 'route' &&
    stop.agent.resolved.tools.some(({ name: own, source }) => own === name && source?.file === file && overlap(source.pointer, pointer));
  return { kinds: toolCalls, isAt: (stop) => isTool(stop, ({ name }) => isDescribed(stop, name)) };
}

function payloadPlace([first, second]: Path, name: string, isLaunched: boolean): PlaceStops | NoPlace | Expectation {
  if (first === 'cases' || first === 'turns')
    return { reason: 'A launch runs one case with one input, so nothing stops in lists of cases or turns.' };
  if (!isLaunched) return { reason: `This launch does not run the case ${name}.` };
  if (first === 'expect') return { expectation: typeof second === 'number' ? second : null };
  if (first === undefined || first === 'input' || first === 'context') return { ...firstCall(() => true), once: () => 'run' };
  return { reason: 'A case stops a run at its input (before the first call) and its expectations (when one is not met).' };
}

function valueIn(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}
