import { caseNamesOf } from '../../core/config/caseParts.js';
import type { ConfigFile } from '../../core/config/configFile.js';
import type { ProjectIndex, Reference } from '../../core/config/projectIndex.js';
import { isObject } from '../../core/json.js';
import type { Kind } from '../../core/kinds.js';
import { compareNatural } from '../../core/names.js';
import { diskDocument } from '../configDocument.js';
import type { Project } from '../workspace.js';

/**
 * A project with other texts, for trying an edit before it is offered. Names and values are those of the edited files; references stay those
 * of the project.
 *
 * @param texts project path to text; files that do not exist are new
 */
export function editedProject(project: Project, texts: ReadonlyMap<string, string>): Project {
  const documents = new Map(
    [...texts].map(([path, text]) => [path, diskDocument(project.uriOf(path), text, path, project.identityOf(path))]),
  );
  const files = new Map([...documents].flatMap(([path, { config }]) => (config === undefined ? [] : [[path, config]])));
  const index = new EditedIndex(project.index, files);
  return {
    root: project.root,
    settings: project.settings,
    index: project.index,
    files: project.files,
    ruleContext: { ...project.ruleContext, project: index },
    documentAt: (path) => documents.get(path) ?? project.documentAt(path),
    uriOf: (path) => project.uriOf(path),
    openVersion: (path) => project.openVersion(path),
    identityOf: (path) => project.identityOf(path),
    knownFiles: () => project.knownFiles(),
    foreignFiles: () => project.foreignFiles(),
    findings: (path) => project.findings(path),
    findingsIn: (draft) => project.findingsIn(draft),
    unlisted: project.unlisted,
    toolFiles: project.toolFiles,
    variableNames: () => project.variableNames(),
  };
}

/** The same with one other text. */
export function withText(project: Project, path: string, text: string): Project {
  return editedProject(project, new Map([[path, text]]));
}

class EditedIndex implements ProjectIndex {
  private readonly base: ProjectIndex;
  private readonly files: readonly ConfigFile[];

  constructor(base: ProjectIndex, files: ReadonlyMap<string, ConfigFile>) {
    this.base = base;
    this.files = [...files.values()].filter(({ foreign }) => !foreign);
  }

  get settings() {
    return this.base.settings;
  }

  get registered() {
    return this.base.registered;
  }

  get complete(): boolean {
    return this.base.complete;
  }

  get revision(): number {
    return this.base.revision;
  }

  ids(kind: Kind): ReadonlyMap<string, string> {
    const ids = this.base.ids(kind);
    const added = this.files.filter(({ identity }) => identity.kind === kind && !ids.has(identity.id));
    if (added.length === 0) return ids;
    const all: [string, string][] = [...ids, ...added.map(({ identity, path }): [string, string] => [identity.id, path])];
    return new Map(all.sort(([left], [right]) => compareNatural(left, right)));
  }

  value(kind: 'system' | 'llm' | 'persona' | 'prompt' | 'mcp' | 'lock', id: string) {
    const edited = this.files.find(({ identity }) => identity.kind === kind && identity.id === id);
    if (edited === undefined) return this.base.value(kind, id);
    return isObject(edited.value) ? edited.value : undefined;
  }

  cases(payload: string): ReadonlySet<string> | undefined {
    const edited = this.files.find(({ identity }) => identity.kind === 'payload' && identity.id === payload);
    if (edited === undefined) return this.base.cases(payload);
    return isObject(edited.value) ? caseNamesOf(edited.identity.name, edited.value) : undefined;
  }

  versions(agentName: string): readonly string[] {
    const versions = this.base.versions(agentName);
    const added = this.files.flatMap(({ identity }) =>
      identity.kind === 'agent' && identity.name === agentName && identity.version !== undefined && !versions.includes(identity.version)
        ? [identity.version]
        : [],
    );
    return added.length === 0 ? versions : [...versions, ...added].sort(compareNatural);
  }

  referencesTo(kind: Reference['kind'], id: string): readonly Reference[] {
    return this.base.referencesTo(kind, id);
  }

  twins(kind: Kind, id: string, path: string): readonly string[] {
    return this.base.twins(kind, id, path);
  }
}
