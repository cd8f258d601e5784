import { isObject } from '../json.js';
import { defineTool, type ToolOptions } from './registry.js';
import type { Tool } from './types.js';

/**
 * The tools that a module exports, under any name: each made by `defineTool` or given as its options, alone or in a list. Other exports are its
 * own affair.
 *
 * @throws TypeError for a tool that is not as it should be, and where there is none
 */
export function moduleTools(exports: Readonly<Record<string, unknown>>): readonly Tool[] {
  const found = new Set(
    Object.values(exports)
      .flatMap((value) => (Array.isArray(value) ? value : [value]))
      .filter(looksLikeTool),
  );
  if (found.size === 0) throw new TypeError('It exports no tool. Export what defineTool returns, or a list of tools.');
  const tools = [...found].map((value) => (isTool(value) ? value : defineTool(value)));
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`It exports two tools called ${twice}.`);
  return tools;
}

type GivenTool = Tool | ToolOptions<never>;

function looksLikeTool(value: unknown): value is GivenTool {
  return isObject(value) && typeof value.name === 'string' && typeof value.description === 'string' && isFunction(value.call);
}

/** It may come from another copy of the library. */
function isTool(value: GivenTool): value is Tool {
  return 'origin' in value;
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
