import { isObject } from '../json.js';
import { defineTool, type ToolOptions } from './registry.js';
import type { Tool } from './types.js';

/**
 * The tools that a module exports, under any name: each made by `defineTool` or written as its options, alone or in a list. Other exports are
 * ignored.
 *
 * @throws TypeError for an invalid tool, and if there is none
 */
export function moduleTools(exports: Readonly<Record<string, unknown>>): readonly Tool[] {
  const exported = new Set(
    Object.values(exports)
      .flatMap((value) => (Array.isArray(value) ? value : [value]))
      .filter(looksLikeTool),
  );
  if (exported.size === 0) throw new TypeError('It exports no tool. Export what defineTool returns, or a list of tools.');
  const tools = [...exported].map((value) => (isTool(value) ? value : defineTool(value)));
  const names = tools.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new TypeError(`It exports two tools named ${duplicate}.`);
  return tools;
}

type ExportedTool = Tool | ToolOptions<never>;

function looksLikeTool(value: unknown): value is ExportedTool {
  return isObject(value) && typeof value.name === 'string' && typeof value.description === 'string' && typeof value.call === 'function';
}

/** Not by `instanceof`: it may come from another copy of the library. */
function isTool(value: ExportedTool): value is Tool {
  return 'origin' in value;
}
