import { splitAgentReference } from '../config/agentReference.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import type { Environment, FileSystem } from '../ports.js';
import type { TeamGraph } from '../routing/teamGraph.js';
import { resolveCalled } from '../snapshot/calledAgents.js';
import { readSources } from '../snapshot/readSources.js';
import { resolveAgent } from '../snapshot/resolveAgent.js';
import { type ResolvedOrchestration, resolveOrchestration } from '../snapshot/resolveOrchestration.js';
import { agentSubject, orchestrationSubject, type PermitSubject } from './subject.js';

/** An agent or orchestration, and its file. */
export interface FileSubject {
  readonly subject: PermitSubject;
  readonly file: string;
  /** Other programs may run it. */
  readonly isExposed: boolean;
  /** What is wrong with its config: values that cannot be used are left out. */
  readonly problems: readonly string[];
}

export interface ProjectSubjects {
  readonly subjects: readonly FileSubject[];
  /** Files that are not JSON objects or cannot be read. */
  readonly unread: readonly string[];
}

export interface ReadSubjectsOptions {
  readonly files: FileSystem;
  readonly index: LoadedIndex;
  readonly variables: Environment;
  /** Default: the project's. */
  readonly environment_name?: string | undefined;
  /** The routes of an orchestration that may be taken. */
  readonly graphOf: (orchestration: ResolvedOrchestration) => Pick<TeamGraph, 'entry' | 'edges'>;
}

/** All agents, then all orchestrations of a project in one environment. */
export async function readSubjects({ files, index, variables, environment_name, graphOf }: ReadSubjectsOptions): Promise<ProjectSubjects> {
  const agents = await readSources(files, index, 'agent');
  const orchestrations = await readSources(files, index, 'orchestration');
  const together = { project: index, variables, agents: agents.sources, ...(environment_name !== undefined && { environment_name }) };
  const ofAgents = [...agents.sources].map(([id, file]): FileSubject => {
    const { name, version = '' } = splitAgentReference(id);
    const resolved = resolveAgent({ ...together, agent_name: name, version, file });
    const { called } = resolveCalled([resolved], together);
    const problems = [resolved, ...called.values()].flatMap((agent) => agent.problems.map(({ message }) => message));
    return { subject: agentSubject(resolved, called), file: file.path, isExposed: file.value.expose === true, problems };
  });
  const ofOrchestrations = [...orchestrations.sources.values()].map((file): FileSubject => {
    const resolved = resolveOrchestration({ ...together, file });
    const subject = orchestrationSubject(resolved.name, resolved.frozen, resolved.agents, graphOf(resolved));
    return { subject, file: file.path, isExposed: file.value.expose === true, problems: resolved.problems.map(({ message }) => message) };
  });
  return { subjects: [...ofAgents, ...ofOrchestrations], unread: [...agents.unread, ...orchestrations.unread] };
}
