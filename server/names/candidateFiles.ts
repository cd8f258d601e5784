import { splitAgentReference } from '../../core/config/agentReference.js';
import { settingsPath } from '../../core/config/paths.js';
import type { Reference } from '../../core/config/projectIndex.js';
import type { Kind } from '../../core/kinds.js';
import type { Project } from '../workspace.js';
import type { Entity } from './entity.js';
import { isShared, payloadsOf } from './payloads.js';
import { environmentPath } from './projectNames.js';

/** Files that may name an entity. Some of them may not, but none is missing. */
export interface Candidates {
  readonly paths: ReadonlySet<string>;
  /** Files with the name in their path. */
  readonly carriers: readonly string[];
}

export function candidateFiles(entity: Entity, project: Project): Candidates {
  const { index } = project;
  const paths = new Set<string>();
  const carriers = carriersOf(entity, project);
  for (const path of carriers) paths.add(path);
  switch (entity.kind) {
    case 'team':
    case 'task':
    case 'step':
    case 'context-key':
    case 'mcp-input':
    case 'definition':
      paths.add(entity.file);
      // These are only named in their own file, and in the cases of an orchestration.
      for (const path of casesOf(entity.file, project)) paths.add(path);
      return { paths, carriers };
    case 'field':
    case 'enum-value':
    case 'input-key':
      addHeirs(entity.file, project, paths);
      break;
    case 'environment':
      paths.add(settingsPath);
      return { paths, carriers };
    case 'orchestration':
      // Only a policy refers to an orchestration.
      for (const path of index.ids('system').values()) paths.add(path);
      return { paths, carriers };
    case 'skill':
      paths.add(settingsPath);
      for (const { path, identity } of index.files()) if (mayNameTools.includes(identity.kind)) paths.add(path);
      return { paths, carriers };
    default: {
      const isMeant = referenceTest(entity);
      for (const { path } of index.files()) if (index.referencesFrom(path).some(isMeant)) paths.add(path);
      if (entity.kind === 'llm' || entity.kind === 'persona') addFallbacks(entity.name, project, paths);
      if (entity.kind === 'llm' || entity.kind === 'agent-version') for (const path of index.ids('baseline').values()) paths.add(path);
      // A policy may name it, and the index does not know what policies name.
      if (entity.kind === 'mcp' || entity.kind === 'agent') for (const path of index.ids('system').values()) paths.add(path);
      if (entity.kind === 'mcp') for (const kind of ['mcp', 'lock'] as const) for (const path of index.ids(kind).values()) paths.add(path);
      // The name of a tool may begin with that of its server.
      if (entity.kind === 'mcp') for (const path of index.ids('payload').values()) paths.add(path);
    }
  }
  // The index does not know the references of a broken file.
  for (const { path } of index.files()) if (index.isUnread(path)) paths.add(path);
  return { paths, carriers };
}

const mayNameTools: readonly Kind[] = ['agent', 'persona', 'system', 'orchestration', 'payload'];

/** The index has no references in placeholders, whose fallback may be a name: `${LLM:-main}`. */
function addFallbacks(name: string, project: Project, paths: Set<string>): void {
  for (const { path } of project.index.files()) if (project.documentAt(path)?.text.includes(`:-${name}}`)) paths.add(path);
}

/** The payloads of an orchestration; empty for any other file. */
function casesOf(file: string, project: Project): readonly string[] {
  const identity = project.index.identityOf(file);
  return identity?.kind === 'orchestration' ? payloadsOf(identity.name, project) : [];
}

function carriersOf(entity: Entity, project: Project): readonly string[] {
  const { index } = project;
  const files = index.files();
  switch (entity.kind) {
    case 'agent':
      return [
        ...files.flatMap(({ path, identity: { kind, name } }) => (kind === 'agent' && name === entity.name ? [path] : [])),
        ...ownPayloads(entity.name, project),
      ];
    case 'prompt':
      return files.flatMap(({ path, identity: { kind, name } }) => (kind === 'prompt' && name === entity.name ? [path] : []));
    case 'agent-version':
      return [index.ids('agent').get(`${entity.agent}@${entity.name}`) ?? []].flat();
    case 'prompt-version':
      return [index.ids('prompt').get(`${entity.prompt}@${entity.name}`) ?? []].flat();
    case 'environment':
      return [environmentPath(entity.name, project) ?? []].flat();
    case 'orchestration':
      return [...[index.ids('orchestration').get(entity.name) ?? []].flat(), ...ownPayloads(entity.name, project)];
    case 'llm':
    case 'persona':
      return [index.ids(entity.kind).get(entity.name) ?? []].flat();
    default:
      return [];
  }
}

/** Empty if an agent and an orchestration have the same name: then their owner is unknown. */
function ownPayloads(name: string, project: Project): readonly string[] {
  return isShared(name, project) ? [] : payloadsOf(name, project);
}

function referenceTest(entity: Entity): (reference: Reference) => boolean {
  switch (entity.kind) {
    case 'agent':
    case 'prompt':
      return ({ kind, id }) => kind === entity.kind && splitAgentReference(id).name === entity.name;
    case 'agent-version':
      return ({ kind, id }) => kind === 'agent' && id === `${entity.agent}@${entity.name}`;
    case 'prompt-version':
      return ({ kind, id }) => kind === 'prompt' && id === `${entity.prompt}@${entity.name}`;
    default:
      return ({ kind, id }) => kind === entity.kind && id === entity.name;
  }
}

/**
 * Adds the files that may name the output or input of an agent, persona, prompt or system file: its users and heirs, their prompts,
 * and their payloads.
 */
function addHeirs(file: string, project: Project, paths: Set<string>): void {
  const { index } = project;
  const queue = [file];
  const add = (path: string) => {
    if (paths.has(path)) return;
    paths.add(path);
    queue.push(path);
  };
  paths.add(file);
  const payloads = payloadsByAgent(project);
  const addCases = (path: string) => {
    const user = index.identityOf(path);
    if (user?.kind === 'orchestration') for (const payload of payloads.get(user.name) ?? []) paths.add(payload);
  };
  for (let at = 0; at < queue.length; at++) {
    const path = queue[at] as string;
    const identity = index.identityOf(path);
    for (const { kind, id } of index.referencesFrom(path)) {
      const prompt = kind === 'prompt' ? index.ids('prompt').get(id) : undefined;
      if (prompt !== undefined) paths.add(prompt);
    }
    switch (identity?.kind) {
      case 'agent':
        for (const reference of usersOf(project, identity.name, identity.version)) {
          paths.add(reference.file);
          addCases(reference.file);
        }
        for (const payload of payloads.get(identity.name) ?? []) paths.add(payload);
        break;
      case 'persona':
      case 'prompt':
        // An inheriting file may have its fields, and be used by further files.
        for (const reference of index.referencesTo(identity.kind, identity.id)) add(reference.file);
        break;
      case 'orchestration':
        addCases(path);
        break;
      case 'system':
        for (const candidate of index.files())
          if (['agent', 'persona', 'orchestration'].includes(candidate.identity.kind)) add(candidate.path);
        break;
      default:
    }
  }
}

function usersOf({ index }: Project, name: string, version = ''): readonly Reference[] {
  const exact = index.referencesTo('agent', `${name}@${version}`);
  return index.versions(name).at(-1) === version ? [...exact, ...index.referencesTo('agent', name)] : exact;
}

function payloadsByAgent({ index }: Project): ReadonlyMap<string, readonly string[]> {
  const byAgent = new Map<string, string[]>();
  for (const { path, identity } of index.files()) {
    if (identity.agent === undefined) continue;
    const paths = byAgent.get(identity.agent);
    if (paths === undefined) byAgent.set(identity.agent, [path]);
    else paths.push(path);
  }
  return byAgent;
}
