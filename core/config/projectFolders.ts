import type { Json } from '../json.js';
import type { Kind } from '../kinds.js';
import { hasMark } from '../otherTools/mark.js';
import type { DirectoryEntry } from '../ports.js';

/** The folders of `config/` that other programs may have as well, with the kind of file in each and how many folders deep it is. */
const folders: readonly { readonly name: string; readonly kind: Kind; readonly depth: 0 | 1 }[] = [
  { name: 'agents', kind: 'agent', depth: 1 },
  { name: 'llms', kind: 'llm', depth: 0 },
  { name: 'personas', kind: 'persona', depth: 0 },
  { name: 'prompts', kind: 'prompt', depth: 1 },
  { name: 'orchestrations', kind: 'orchestration', depth: 0 },
];

/**
 * The folders of `config/` a file in any of which can make a project, even without agentstack.json. Other frameworks have `config/environments`
 * and single files such as `config/system.json`, so these alone do not.
 */
export const projectFolders: readonly string[] = folders.map(({ name }) => name);

/** What makes a folder a project, in words. */
export const projectMark = 'agentstack.json, or a file of ours under config/agents, llms, personas, prompts or orchestrations';

/** How a folder is looked into. Paths are those that the caller uses. */
export interface Looker {
  /** Empty where there is none. */
  list(folder: string): readonly Pick<DirectoryEntry, 'name' | 'kind'>[];
  /** Undefined where it cannot be read. */
  read(path: string): string | undefined;
}

/** A folder with this many unmarked files belongs to another program. */
const mostUnmarked = 100;

/** Whether `config` holds a file that was written for Agent Stack: a folder name alone shows nothing. */
export function holdsMarkedFile(config: string, looker: Looker): boolean {
  const present = new Set(looker.list(config).map(({ name }) => name));
  return folders.some(({ name, kind, depth }) => {
    if (!present.has(name)) return false;
    let unmarked = 0;
    for (const path of filesIn(`${config}/${name}`, depth, looker)) {
      if (isMarked(kind, looker.read(path))) return true;
      unmarked += 1;
      if (unmarked === mostUnmarked) return false;
    }
    return false;
  });
}

function* filesIn(folder: string, depth: number, looker: Looker): Generator<string, void, undefined> {
  for (const { name, kind } of looker.list(folder)) {
    if (name.startsWith('.')) continue;
    const path = `${folder}/${name}`;
    if (depth > 0) {
      if (kind === 'directory') yield* filesIn(path, depth - 1, looker);
    } else if (kind === 'file' && name.endsWith('.json')) yield path;
  }
}

function isMarked(kind: Kind, text: string | undefined): boolean {
  if (text === undefined) return false;
  let value: Json | undefined;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, '')) as Json;
  } catch {
    value = undefined;
  }
  return hasMark(kind, value, text);
}
