import type { ProjectIndex } from '../core/config/projectIndex.js';
import type { PlacedFinding, RelatedPlace } from '../core/finding.js';
import type { Project } from './workspace.js';

/** Most agents checked and faults shown: more would not make the problem clearer. */
const mostAgents = 50;
const mostFaults = 100;

/** Faults in a prompt found through the agents that use it, placed in the prompt: a path their input lacks, an example their schema rejects. */
export async function promptFaults(project: Project, path: string): Promise<readonly PlacedFinding[]> {
  const identity = project.identityOf(path);
  if (identity?.kind !== 'prompt') return [];
  const faults: PlacedFinding[] = [];
  for (const agent of agentsWith(project.index, identity.id).slice(0, mostAgents)) {
    for (const finding of await project.findings(agent)) {
      const places = finding.related?.filter(({ file }) => file === path) ?? [];
      faults.push(...places.flatMap((place) => faultAt(project, path, finding, place) ?? []));
    }
  }
  return faults.slice(0, mostFaults);
}

/** Files of agents, by the prompt that they or their personas name. */
function agentsWith(index: ProjectIndex, prompt: string): readonly string[] {
  const personas = new Map([...index.ids('persona')].map(([name, path]) => [path, name]));
  const files = index.referencesTo('prompt', prompt).flatMap(({ file }) => {
    const persona = personas.get(file);
    return persona === undefined ? [file] : index.referencesTo('persona', persona).map((reference) => reference.file);
  });
  const agents = new Set(index.ids('agent').values());
  return [...new Set(files)].filter((file) => agents.has(file));
}

function faultAt(project: Project, path: string, finding: PlacedFinding, place: RelatedPlace): PlacedFinding | undefined {
  const { pointer, target, within, range } = place;
  const document = project.documentAt(path);
  if (document === undefined || range === undefined) return undefined;
  const { code, severity, data, file, line, column } = finding;
  const [start, end] = [document.textDocument.positionAt(range.start), document.textDocument.positionAt(range.end)];
  return {
    code,
    severity,
    message: `For ${file}: ${finding.message}`,
    file: path,
    pointer,
    range,
    line: start.line + 1,
    column: start.character + 1,
    end_line: end.line + 1,
    end_column: end.character + 1,
    ...(target !== undefined && { target }),
    ...(within !== undefined && { within }),
    ...(data !== undefined && { data }),
    related: [{ file, pointer: finding.pointer, range: finding.range, line, column, message: 'This agent uses the prompt.' }],
  };
}
