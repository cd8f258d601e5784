import type { ProjectIndex } from './projectIndex.js';

/** An agent file of the project. */
export interface AgentTarget {
  readonly name: string;
  readonly version: string;
  /** `name@version`. */
  readonly id: string;
  readonly path: string;
}

/** A reference to an agent in its parts; `version` is undefined if it means the newest. */
export function splitAgentReference(reference: string): { readonly name: string; readonly version: string | undefined } {
  const at = reference.lastIndexOf('@');
  return at < 0 ? { name: reference, version: undefined } : { name: reference.slice(0, at), version: reference.slice(at + 1) };
}

/** The agent file that `name@version`, or a name for its newest version, refers to. */
export function findAgent(project: ProjectIndex, reference: string): AgentTarget | undefined {
  const { name, version = project.versions(name).at(-1) } = splitAgentReference(reference);
  if (version === undefined) return undefined;
  const id = `${name}@${version}`;
  const path = project.ids('agent').get(id);
  return path === undefined ? undefined : { name, version, id, path };
}

/** The agents that use a persona; undefined if a task or a default uses it as well, or if more than `mostUsers` do. */
export function agentsWithPersona(project: ProjectIndex, persona: string): readonly AgentTarget[] | undefined {
  const references = project.referencesTo('persona', persona);
  if (references.length > mostUsers) return undefined;
  const idOf = new Map([...project.ids('agent')].map(([id, path]) => [path, id]));
  const agents = references.map(({ file }) => findAgent(project, idOf.get(file) ?? ''));
  return agents.every((agent) => agent !== undefined) ? agents : undefined;
}

const mostUsers = 20;
