import { getLocation } from 'jsonc-parser';
import type { Stop } from '../agent/gate.js';
import type { FileIdentity } from '../config/configFile.js';
import { isObject, type Json, type JsonObject, parseObject, pointerOf } from '../json.js';
import { lineStarts } from '../jsonText/textPositions.js';
import { matchesTool } from '../tools/allowedTools.js';
import type { Tool } from '../tools/types.js';
import { answeredObject } from './stopValues.js';

/** A line at which a run can stop, or why it cannot. */
export type Place = (PlaceStops & { readonly pointer: string; readonly line: number }) | { readonly reason: string };

interface PlaceStops {
  /** The kinds of stop that may be here, the usual one first. A condition that needs a later one moves the breakpoint there. */
  readonly kinds: readonly Stop['at'][];
  /** Whether a stop of one of these kinds is here. */
  readonly isAt: (stop: Stop) => boolean;
}

type Path = readonly (string | number)[];

/**
 * What stops at a line of a config file.
 *
 * @param line from 1
 */
export function placeAt(identity: FileIdentity | undefined, text: string, line: number): Place {
  if (identity === undefined) return { reason: 'This file is no config file of the project.' };
  const starts = lineStarts(text);
  const start = starts[line - 1];
  if (start === undefined) return { reason: `The file has only ${starts.length} lines.` };
  const content = text.slice(start, starts[line] ?? text.length);
  const first = content.search(/[^\s[\]{},]/);
  if (first < 0) return { reason: 'Nothing on this line is sent, called or decided.' };
  const path = getLocation(text, start + first + 1).path;
  const found =
    identity.kind === 'agent' ? inAgent(path, identity, text) : identity.kind === 'orchestration' ? inOrchestration(path, text) : undefined;
  if (found) return { pointer: pointerOf(...path), line, ...found };
  if (identity.kind === 'agent')
    return {
      reason:
        'An agent stops at its texts (before a call), its tools (before they are called) and fields of its output_schema (when an answer has them).',
    };
  if (identity.kind === 'orchestration') return { reason: 'An orchestration stops at its teams, tasks and routing rules.' };
  return {
    reason: `Files of the kind "${identity.kind}" cannot stop a run yet: set the breakpoint in the agent or orchestration that uses it.`,
  };
}

function inAgent(path: Path, { name, version }: FileIdentity, text: string): PlaceStops | undefined {
  const isOfAgent = (stop: Stop) => {
    if (stop.at === 'route') return false;
    const { config } = stop.agent.resolved;
    return config.agent_name === name && (version === undefined || config.version === version);
  };
  const [field, second, third] = path;
  if (field === 'system_text' || field === 'purpose_text' || field === 'user_text' || field === 'prompts')
    return { kinds: ['model', 'answer'], isAt: isOfAgent };
  if (field === 'enabled_tools' && typeof second === 'number') {
    const entry = valueAt(text, path.slice(0, 2));
    if (typeof entry !== 'string') return undefined;
    return { kinds: ['tool', 'tool_answer'], isAt: (stop) => isOfAgent(stop) && isTool(stop, (tool) => matchesTool(entry, tool)) };
  }
  if (field === 'client_ids' && typeof second === 'number') {
    const client = valueAt(text, path.slice(0, 2));
    const isOfClient = ({ origin }: Tool) => origin.type === 'mcp' && origin.client_id === client;
    return { kinds: ['tool', 'tool_answer'], isAt: (stop) => isOfAgent(stop) && isTool(stop, isOfClient) };
  }
  if (field === 'output_schema' && second === 'properties' && typeof third === 'string')
    return { kinds: ['answer'], isAt: (stop) => isOfAgent(stop) && Object.hasOwn(answerAt(stop), third) };
  if (field === 'enums' && typeof second === 'string' && typeof third === 'number') {
    const value = valueAt(text, path.slice(0, 3));
    return { kinds: ['answer'], isAt: (stop) => isOfAgent(stop) && answerAt(stop)[second] === value };
  }
  return undefined;
}

function isTool(stop: Stop, test: (tool: Tool) => boolean): boolean {
  return (stop.at === 'tool' || stop.at === 'tool_answer') && stop.tool !== undefined && test(stop.tool);
}

function answerAt(stop: Stop): JsonObject {
  return (stop.at === 'answer' ? answeredObject(stop.completion.text) : undefined) ?? {};
}

function inOrchestration(path: Path, text: string): PlaceStops | undefined {
  const [field, team, part, index, rule] = path;
  if (field !== 'teams' || typeof team !== 'string') return undefined;
  if (part === 'tasks') {
    const task = typeof index === 'number' ? valueAt(text, ['teams', team, 'tasks', index, 'name']) : undefined;
    return { kinds: ['model'], isAt: (stop) => isFirstCall(stop) && stop.team === team && (task === undefined || stop.task === task) };
  }
  if (part === 'routing' && index === 'rules' && typeof rule === 'number')
    return { kinds: ['route'], isAt: (stop) => stop.at === 'route' && stop.team === team && stop.rule === rule };
  if (part === 'routing' && index === 'default')
    return { kinds: ['route'], isAt: (stop) => stop.at === 'route' && stop.team === team && stop.rule === null };
  return { kinds: ['model'], isAt: (stop) => isFirstCall(stop) && stop.team === team };
}

function isFirstCall(stop: Stop): boolean {
  return stop.at === 'model' && stop.step === 1;
}

function valueAt(text: string, path: Path): Json | undefined {
  let value: Json | undefined = parseObject(text);
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}
