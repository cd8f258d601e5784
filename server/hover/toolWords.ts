import { type KnownTool, lockedTools, serverOf } from '../../core/config/knownTools.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { preview } from '../preview.js';
import type { Project } from '../workspace.js';
import { type Block, line, list, type Part } from './hoverText.js';

/** A tool's description, its parameters, and whether it still matches its pin. */
export function toolWords({ name, description, parameters, origin, locked }: KnownTool): readonly Block[] {
  const owner: Part[] =
    origin.type === 'mcp' ? [' (tool of ', { code: origin.client_id }, ')'] : [origin.type === 'skill' ? ' (skill)' : ' (built-in tool)'];
  return [
    line({ strong: preview(name, 80) }, ...owner),
    ...(description === '' ? [] : [line(preview(description, 600))]),
    ...parameterWords(parameters),
    ...(locked === undefined ? [] : [line(pinWords(locked.changed))]),
  ];
}

/** The tools of a server, from the lock file. */
export function serverToolWords(id: string, project: Project): readonly Block[] {
  if (serverOf(project.index, id) === undefined) return [];
  const tools = lockedTools(project.index, id);
  if (tools === undefined) return [line('Its tools are not listed yet: ', { code: 'npx agent-stack tools' }, ' lists and pins them.')];
  if (tools.length === 0) return [line('It has no tools.')];
  const items = tools.slice(0, mostListed).map(({ name, description, locked }): Part[] => {
    const words = description === '' ? '' : `: ${preview(description, 100)}`;
    return [{ code: preview(name, 80) }, words, ...(locked.changed === undefined ? [] : [' (', { strong: 'changed' }, ')'])];
  });
  const more = tools.length - items.length;
  return [line(tools.length === 1 ? 'Its tool:' : `Its ${tools.length} tools:`), list(more > 0 ? [...items, [`and ${more} more`]] : items)];
}

const mostListed = 20;

function pinWords(changed: unknown): string {
  if (changed === undefined) return 'Pinned, and unchanged when the server last listed it.';
  return changed === null
    ? 'Pinned, but the server no longer lists it.'
    : 'Pinned, but the server has changed it since: review it before you accept it.';
}

function parameterWords({ properties, required }: JsonObject): readonly Block[] {
  if (!isObject(properties)) return [];
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const items = Object.entries(properties)
    .slice(0, mostListed)
    .map(([name, schema]): Part[] => {
      const types = isObject(schema) ? [schema.type].flat().filter((type) => typeof type === 'string') : [];
      const facts = [...types, ...(needed.includes(name) ? ['required'] : [])];
      const words = isObject(schema) && typeof schema.description === 'string' ? `: ${preview(schema.description, 160)}` : '';
      return [{ code: preview(name, 60) }, facts.length > 0 ? ` (${facts.join(', ')})` : '', words];
    });
  return items.length === 0 ? [] : [list(items)];
}
