import type { ResponseError } from 'vscode-languageserver';
import { knownTools } from '../../core/config/knownTools.js';
import { isObject, type Json, listOf, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { isLegalName, nameWords } from '../../core/kinds.js';
import { compareNatural } from '../../core/names.js';
import { environmentNames } from '../../core/snapshot/checkEnvironment.js';
import type { Entity, EntityKind } from '../names/entity.js';
import type { Occurrence } from '../occurrences.js';
import { requestFailed } from '../requestFailed.js';
import type { Project } from '../workspace.js';

/** The word for an entity in messages. */
export const kindWords: Readonly<Record<EntityKind, string>> = {
  agent: 'agent',
  llm: 'llm profile',
  persona: 'persona',
  prompt: 'prompt',
  mcp: 'MCP server',
  'agent-version': 'version',
  'prompt-version': 'version',
  team: 'team',
  task: 'task',
  step: 'step',
  field: 'field',
  'enum-value': 'value',
  'input-key': 'input key',
  'context-key': 'context key',
  'mcp-input': 'MCP input',
  definition: 'definition',
  skill: 'skill',
  orchestration: 'orchestration',
  environment: 'environment',
};

const partName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** @throws ResponseError if an entity of this kind may not have the name */
export function checkLegal({ kind }: Entity, name: string): void {
  const refuse = (rule: string): never => {
    throw requestFailed(`${JSON.stringify(name)} is not a legal ${kindWords[kind]} name: ${rule}.`);
  };
  switch (kind) {
    case 'team':
    case 'task':
    case 'step':
      if (!partName.test(name)) refuse('letters, digits, "_" and "-", at most 64, beginning with a letter or digit');
      return;
    case 'field':
    case 'input-key':
    case 'context-key':
      if (name === '') refuse('it is empty');
      // Paths are dotted, in double braces.
      if (/[.{}\s]/.test(name)) refuse('paths to it are written with dots in double braces, so it cannot contain a dot, brace or space');
      return;
    case 'enum-value':
      if (name === '') refuse('it is empty');
      if (name.includes('${')) refuse('${ begins a variable');
      return;
    case 'definition':
      if (!/^[\w.-]+$/.test(name)) refuse('letters, digits, ".", "_" and "-", which a $ref writes as they are');
      return;
    case 'skill':
      if (!/^[\w-]{1,64}$/.test(name)) refuse('letters, digits, "_" and "-", at most 64');
      return;
    default:
      if (!isLegalName(name)) refuse(nameWords);
  }
}

/** @throws ResponseError if a sibling of a place already has the new name */
export function checkFree({ document, path, pointer, target, within, entity }: Occurrence, newName: string): void {
  const value = document.config?.value;
  const around = valueAt(value, parentPointer(pointer) ?? '');
  if (target === 'key') {
    if (isObject(around) && Object.hasOwn(around, newName)) refuse(path, entity, newName);
  } else if (within === undefined && Array.isArray(around)) {
    if ((around as readonly Json[]).includes(newName)) refuse(path, entity, newName);
  } else if (pointer.endsWith('/name') && (entity.kind === 'task' || entity.kind === 'step')) {
    const list = valueAt(value, parentPointer(parentPointer(pointer) ?? '') ?? '');
    const names = Array.isArray(list) ? (list as readonly Json[]).map((item) => (isObject(item) ? item.name : undefined)) : [];
    if (names.includes(newName)) refuse(path, entity, newName);
  }
}

function refuse(path: string, { kind }: Entity, newName: string): never {
  throw requestFailed(`The ${kindWords[kind]} ${JSON.stringify(newName)} already exists in ${path}. Choose another name.`);
}

function nameTaken(what: string, name: string): ResponseError {
  return requestFailed(`The ${what} ${JSON.stringify(name)} already exists. Choose another name.`);
}

/** @throws ResponseError if a file of that name exists, or a reference without this name would mean something else */
export function checkSameMeaning(entity: Entity, newName: string, { index }: Project): void {
  const isTaken = (ids: Iterable<string>, oldId: string) =>
    [...ids].some((id) => id.toLowerCase() === newName.toLowerCase() && id !== oldId);
  switch (entity.kind) {
    case 'agent':
    case 'prompt': {
      const names = new Set([...index.ids(entity.kind).keys()].map((id) => id.slice(0, id.lastIndexOf('@'))));
      if (isTaken(names, entity.name)) throw nameTaken(entity.kind, newName);
      return;
    }
    case 'agent-version': {
      const versions = index.versions(entity.agent);
      if (isTaken(versions, entity.name))
        throw requestFailed(`${entity.agent} already has a version ${JSON.stringify(newName)}. Choose another name.`);
      const after = versions.map((version) => (version === entity.name ? newName : version)).sort(compareNatural);
      const newest = versions.at(-1) === entity.name ? newName : versions.at(-1);
      if (after.at(-1) !== newest && index.referencesTo('agent', entity.agent).length > 0)
        throw requestFailed(
          `With that name, another version of ${entity.agent} would be the newest, to which ${index.referencesTo('agent', entity.agent)[0]?.file} refers. Choose another name, or name the version there.`,
        );
      return;
    }
    case 'llm': {
      const ids = [...index.ids('llm').keys()];
      if (isTaken(ids, entity.name)) throw nameTaken('llm profile', newName);
      return;
    }
    case 'persona':
    case 'orchestration':
      if (isTaken(index.ids(entity.kind).keys(), entity.name)) throw nameTaken(kindWords[entity.kind], newName);
      return;
    case 'environment':
      if (isTaken(environmentNames(index), entity.name)) throw nameTaken('environment', newName);
      return;
    case 'mcp-input': {
      const inputs = listOf(index.value('mcp', 'mcp')?.inputs).flatMap((input) => (isObject(input) ? [String(input.id)] : []));
      if (inputs.includes(newName)) throw nameTaken('MCP input', newName);
      return;
    }
    case 'skill':
      if (index.registered.tools.some(({ name }) => name === entity.name))
        throw requestFailed(
          `Code registers the skill ${JSON.stringify(entity.name)} under this name. Rename it there first, to ${JSON.stringify(newName)}.`,
        );
      if (knownTools(index, Object.keys(index.value('mcp', 'mcp')?.servers ?? {})).tools.some(({ name }) => name === newName))
        throw nameTaken('tool', newName);
      return;
    case 'task': {
      // A persona run as an agent has the name of its task, and sections of system.json refer to it by that name.
      if (index.versions(entity.name).length > 0) return;
      const section = index.files().find(({ identity }) => {
        const agents = identity.kind === 'system' ? index.value('system', identity.id)?.agents : undefined;
        return isObject(agents) && Object.hasOwn(agents, entity.name);
      });
      if (section !== undefined)
        throw requestFailed(
          `${section.path} has a section agents.${entity.name}, which refers to this task. Rename it there first, to ${JSON.stringify(newName)}.`,
        );
      return;
    }
    default:
  }
}
