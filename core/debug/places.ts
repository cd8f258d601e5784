import { getLocation } from 'jsonc-parser';
import type { Stop } from '../agent/gate.js';
import type { FileIdentity } from '../config/configFile.js';
import { isObject, type Json, parseObject, pointerOf } from '../json.js';
import { lineStarts } from '../jsonText/textPositions.js';
import { matchesTool } from '../tools/allowedTools.js';

/** A line at which a run can stop, or why it cannot. */
export type Place =
  | { readonly pointer: string; readonly line: number; readonly isAt: (stop: Stop) => boolean }
  | { readonly reason: string };

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
  if (found) return { pointer: pointerOf(...path), line, isAt: found };
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

function inAgent(path: Path, { name, version }: FileIdentity, text: string): ((stop: Stop) => boolean) | undefined {
  const isOfAgent = (stop: Stop) => {
    if (stop.at === 'route') return false;
    const { config } = stop.agent.resolved;
    return config.agent_name === name && (version === undefined || config.version === version);
  };
  const [field, second, third] = path;
  if (field === 'system_text' || field === 'purpose_text' || field === 'user_text' || field === 'prompts')
    return (stop) => stop.at === 'model' && isOfAgent(stop);
  if (field === 'enabled_tools' && typeof second === 'number') {
    const entry = valueAt(text, path.slice(0, 2));
    if (typeof entry !== 'string') return undefined;
    return (stop) => stop.at === 'tool' && isOfAgent(stop) && matchesTool(entry, stop.tool);
  }
  if (field === 'client_ids' && typeof second === 'number') {
    const client = valueAt(text, path.slice(0, 2));
    return (stop) => stop.at === 'tool' && isOfAgent(stop) && stop.tool.origin.type === 'mcp' && stop.tool.origin.client_id === client;
  }
  if (field === 'output_schema' && second === 'properties' && typeof third === 'string')
    return (stop) => stop.at === 'answer' && isOfAgent(stop) && Object.hasOwn(parseObject(stop.completion.text) ?? {}, third);
  if (field === 'enums' && typeof second === 'string' && typeof third === 'number') {
    const value = valueAt(text, path.slice(0, 3));
    return (stop) => stop.at === 'answer' && isOfAgent(stop) && parseObject(stop.completion.text)?.[second] === value;
  }
  return undefined;
}

function inOrchestration(path: Path, text: string): ((stop: Stop) => boolean) | undefined {
  const [field, team, part, index, rule] = path;
  if (field !== 'teams' || typeof team !== 'string') return undefined;
  if (part === 'tasks') {
    const task = typeof index === 'number' ? valueAt(text, ['teams', team, 'tasks', index, 'name']) : undefined;
    return (stop) => stop.at === 'model' && stop.team === team && (task === undefined || stop.task === task) && stop.step === 1;
  }
  if (part === 'routing' && index === 'rules' && typeof rule === 'number')
    return (stop) => stop.at === 'route' && stop.team === team && stop.rule === rule;
  if (part === 'routing' && index === 'default') return (stop) => stop.at === 'route' && stop.team === team && stop.rule === null;
  return (stop) => stop.at === 'model' && stop.team === team && stop.step === 1;
}

function valueAt(text: string, path: Path): Json | undefined {
  let value: Json | undefined = parseObject(text);
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}
