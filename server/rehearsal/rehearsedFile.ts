import { createChecker } from '../../core/check/checker.js';
import { settingsPath } from '../../core/config/paths.js';
import { anyLlm } from '../../core/config/references.js';
import { type DirectoryEntry, FileProblem, type FileSystem } from '../../core/ports.js';
import { rules } from '../../core/rules/index.js';
import type { Document } from '../document.js';
import type { ServiceHost } from '../host.js';
import type { Project, Workspace } from '../workspace.js';

/** An agent file to type in, and a host that has a project of this file and what it refers to. */
export interface RehearsedFile {
  readonly uri: string;
  readonly text: string;
  readonly host: ServiceHost;
}

/** In UTF-16 units: more text is no better to learn from, and takes longer. */
const longest = 65_536;
/** Of agents that are not open. */
const mostTried = 5;
/** Files beside the agent's own. */
const mostFiles = 16;

/** An agent that is open, or else one of the first there are; undefined where none will do. */
export function findRehearsedFile(workspace: Workspace, host: ServiceHost): RehearsedFile | undefined {
  for (const [project, path] of candidates(workspace)) {
    const document = project.documentAt(path);
    if (document === undefined || !isSuitable(document, project)) continue;
    return { uri: project.uriOf(path), text: document.text, host: hostOf(project, path, host) };
  }
  return undefined;
}

function* candidates(workspace: Workspace): Generator<readonly [Project, string]> {
  for (const { path, uri } of workspace.openDocuments) {
    const project = workspace.projectOf(uri);
    if (project !== undefined && path !== undefined && project.identityOf(path)?.kind === 'agent') yield [project, path];
  }
  for (const project of workspace.projects) {
    let tried = 0;
    // In the order found: to sort ten thousand names would keep the thread for longer than all that follows.
    for (const { path, identity } of project.knownFiles()) {
      if (tried === mostTried) break;
      if (identity.kind !== 'agent') continue;
      tried += 1;
      yield [project, path];
    }
  }
}

/** The schema compiler takes memory, which is there for who needs it and not for this. */
function isSuitable({ text, config }: Document, project: Project): boolean {
  if (text.length > longest || config === undefined || config.foreign || config.value === undefined) return false;
  const context = { ...project.ruleContext, schemas: undefined, countTokens: undefined };
  return typeof createChecker(rules, project.settings).check(config, context) !== 'function';
}

function hostOf(project: Project, path: string, host: ServiceHost): ServiceHost {
  const files = memoryFiles(textsAround(project, path));
  return {
    ...host,
    openFiles: () => files,
    openCommitted: () => undefined,
    listFolder: () => [],
    findProject: () => project.root,
    readText: () => undefined,
  };
}

function textsAround(project: Project, path: string): ReadonlyMap<string, string> {
  const { index } = project;
  const paths = new Set([path, settingsPath, ...index.ids('system').values(), ...index.ids('mcp').values()]);
  // What is added here is looked at too.
  for (const each of paths) {
    for (const { kind, id } of index.referencesFrom(each)) {
      if (kind !== 'llm' && kind !== 'persona' && kind !== 'prompt') continue;
      const ids = index.ids(kind);
      const other = ids.get(id === anyLlm ? (ids.keys().next().value ?? '') : id);
      if (other !== undefined) paths.add(other);
    }
  }
  const texts = new Map<string, string>();
  for (const file of [...paths].slice(0, mostFiles + 1)) {
    const text = project.documentAt(file)?.text;
    if (text !== undefined && text.length <= longest) texts.set(file, text);
  }
  return texts;
}

function memoryFiles(texts: ReadonlyMap<string, string>): FileSystem {
  const refuse = (path: string) => {
    throw new FileProblem('no-permission', path, `${path} cannot be written: it is a copy that nobody sees.`);
  };
  return {
    readText(path) {
      const text = texts.get(path);
      if (text === undefined) throw new FileProblem('not-found', path, `${path} does not exist.`);
      return text;
    },
    list(directory) {
      const kinds = new Map<string, DirectoryEntry['kind']>();
      for (const path of texts.keys()) {
        if (!path.startsWith(`${directory}/`)) continue;
        const [name = '', ...below] = path.slice(directory.length + 1).split('/');
        kinds.set(name, below.length > 0 ? 'directory' : 'file');
      }
      return [...kinds].map(([name, kind]) => ({ name, kind })).sort((left, right) => (left.name < right.name ? -1 : 1));
    },
    writeText: refuse,
    appendText: refuse,
  };
}
