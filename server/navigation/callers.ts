import { type CallHierarchyItem, SymbolKind } from 'vscode-languageserver';
import type { FileIdentity } from '../../core/config/configFile.js';
import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { isObject, pointerOf, segmentsOf } from '../../core/json.js';
import type { Entity } from '../names/entity.js';
import { type FileView, viewOf } from '../names/fileView.js';
import type { Occurrence } from '../occurrences.js';
import { preview } from '../preview.js';
import type { Project } from '../workspace.js';

/** An item of the call hierarchy: a config file, a server of mcp.json, a team or a task of an orchestration. `path` is its file. */
export type Caller =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'server'; readonly path: string; readonly name: string }
  | { readonly type: 'team'; readonly path: string; readonly team: string }
  | { readonly type: 'task'; readonly path: string; readonly team: string; readonly task: string };

export function callerKey(caller: Caller): string {
  const { type, path } = caller;
  const parts = type === 'server' ? [caller.name] : type === 'team' ? [caller.team] : type === 'task' ? [caller.team, caller.task] : [];
  return JSON.stringify([type, path, ...parts]);
}

/** The data that comes back from the client; undefined if it has another shape. */
export function readCaller(data: unknown): Caller | undefined {
  if (!isObject(data) || typeof data.path !== 'string') return undefined;
  const { type, path, name, team, task } = data;
  if (type === 'file') return { type, path };
  if (type === 'server' && typeof name === 'string') return { type, path, name };
  if (type === 'team' && typeof team === 'string') return { type, path, team };
  if (type === 'task' && typeof team === 'string' && typeof task === 'string') return { type, path, team, task };
  return undefined;
}

/** The innermost item around a place. */
export function callerAround({ file, value }: FileView, pointer: string): Caller {
  const { path, identity } = file;
  const segments = segmentsOf(pointer);
  const [root, name, part, index] = segments;
  if (identity.kind === 'mcp' && root === 'servers' && name !== undefined) return { type: 'server', path, name };
  if (identity.kind !== 'orchestration' || root !== 'teams' || name === undefined) return { type: 'file', path };
  const team = teamsIn(value).find(({ id }) => id === name);
  if (team === undefined) return { type: 'file', path };
  const at = part === 'tasks' && index !== undefined ? `${team.pointer}/tasks/${index}` : undefined;
  const task = at === undefined ? undefined : tasksIn(team).find((candidate) => candidate.pointer === at)?.name;
  return task === undefined ? { type: 'team', path, team: name } : { type: 'task', path, team: name, task };
}

/** The item that a name refers to; undefined for a name of anything else. */
export function calledBy({ entity, leadsTo, path, isDeclaration, target }: Occurrence): Caller | undefined {
  switch (entity.kind) {
    case 'team':
      return { type: 'team', path: entity.file, team: entity.name };
    case 'task':
      return { type: 'task', path: entity.file, team: entity.team, task: entity.name };
    case 'mcp': {
      const file = leadsTo ?? (isDeclaration ? path : undefined);
      return file === undefined ? undefined : { type: 'server', path: file, name: entity.name };
    }
    case 'agent':
    case 'agent-version':
    case 'prompt':
    case 'prompt-version':
    case 'llm':
    case 'persona': {
      // A section of system.json configures the agent it is named after, and does not use it.
      const file = target === 'key' ? undefined : (leadsTo ?? (isDeclaration ? path : undefined));
      return file === undefined ? undefined : { type: 'file', path: file };
    }
    default:
      return undefined;
  }
}

/** The entity that others refer to; undefined for an orchestration, which has no references. */
export function entityOf(caller: Caller, { index }: Project): Entity | undefined {
  switch (caller.type) {
    case 'server':
      return { kind: 'mcp', name: caller.name };
    case 'team':
      return { kind: 'team', file: caller.path, name: caller.team };
    case 'task':
      return { kind: 'task', file: caller.path, team: caller.team, name: caller.task };
    case 'file': {
      const { kind, name } = index.identityOf(caller.path) ?? {};
      const isNamed = kind === 'agent' || kind === 'llm' || kind === 'persona' || kind === 'prompt';
      return isNamed && name !== undefined ? { kind, name } : undefined;
    }
  }
}

/** Undefined for an item that does not exist. */
export function itemOf(caller: Caller, project: Project): CallHierarchyItem | undefined {
  const document = project.documentAt(caller.path);
  const identity = project.identityOf(caller.path);
  const view = document && viewOf(document, project);
  if (document === undefined || identity === undefined || view === undefined) return undefined;
  const shape = shapeOf(caller, identity, view);
  if (shape === undefined) return undefined;
  const { name, kind, detail, whole, namePointer } = shape;
  const located = view.locate([whole, namePointer]);
  const around = located.get(whole);
  if (around === undefined) return undefined;
  const range = { start: around.key?.start ?? around.value.start, end: around.value.end };
  const nameRange = located.get(namePointer);
  const selection =
    namePointer === whole ? (around.key ?? { start: range.start, end: range.start }) : (nameRange?.value ?? { ...range, end: range.start });
  return {
    name: name || '""',
    kind,
    detail,
    uri: document.uri,
    range: document.rangeOf(range),
    selectionRange: document.rangeOf(selection),
    data: caller,
  };
}

interface Shape extends Pick<CallHierarchyItem, 'name' | 'kind'> {
  readonly detail: string;
  /** Pointers of the whole item and of its name. */
  readonly whole: string;
  readonly namePointer: string;
}

function shapeOf(caller: Caller, identity: FileIdentity, { value }: FileView): Shape | undefined {
  switch (caller.type) {
    case 'server': {
      const whole = pointerOf('servers', caller.name);
      return { name: caller.name, kind: SymbolKind.Module, detail: 'MCP server', whole, namePointer: whole };
    }
    case 'team': {
      const whole = pointerOf('teams', caller.team);
      return { name: caller.team, kind: SymbolKind.Namespace, detail: `team of ${identity.name}`, whole, namePointer: whole };
    }
    case 'task': {
      const team = teamsIn(value).find(({ id }) => id === caller.team);
      const task = team && tasksIn(team).find(({ name }) => name === caller.task);
      if (task === undefined) return undefined;
      const detail = preview(`task of ${identity.name} › ${caller.team}`);
      return { name: caller.task, kind: SymbolKind.Function, detail, whole: task.pointer, namePointer: `${task.pointer}/name` };
    }
    case 'file': {
      const { kind, field } = fileShapes[identity.kind] ?? { kind: SymbolKind.File };
      const description = typeof value.description === 'string' ? ` · ${preview(value.description)}` : '';
      const namePointer = field === undefined || value[field] === undefined ? '' : pointerOf(field);
      return { name: identity.id, kind, detail: `${identity.kind}${description}`, whole: '', namePointer };
    }
  }
}

const fileShapes: Partial<Record<FileIdentity['kind'], { readonly kind: CallHierarchyItem['kind']; readonly field?: string }>> = {
  agent: { kind: SymbolKind.Class, field: 'agent_name' },
  llm: { kind: SymbolKind.Constant, field: 'llm_id' },
  persona: { kind: SymbolKind.Interface },
  prompt: { kind: SymbolKind.String, field: 'name' },
  orchestration: { kind: SymbolKind.Module, field: 'name' },
};
