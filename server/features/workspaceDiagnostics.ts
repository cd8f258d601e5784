import type { WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport } from 'vscode-languageserver';
import type { Feature, FeatureContext } from '../feature.js';
import type { Project } from '../workspace.js';

/** Files in one part of the answer. */
const partSize = 64;

/** The findings of all files of all projects, without files that never had any. For unchanged files, only the id is sent. */
export const workspaceDiagnostics: Feature<WorkspaceDiagnosticParams, WorkspaceDiagnosticReport> = {
  method: 'workspace/diagnostic',
  needs: ['previousResultIds'],
  // `documentDiagnostics` announces both.
  capability: () => ({}),
  async handle({ previousResultIds }, context) {
    const { workspace, signal, sendPart } = context;
    context.progress.report('Reading the config files');
    await workspace.ready(signal);
    const before = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const removed = new Set(before.keys());
    let items: WorkspaceDocumentDiagnosticReport[] = [];
    for await (const item of reports(before, removed, context)) {
      items.push(item);
      if (sendPart === undefined || items.length < partSize) continue;
      sendPart({ items });
      items = [];
    }
    // Findings of removed files are cleared.
    for (const uri of removed) items.push({ kind: 'full', uri, version: null, items: [], resultId: 'clean' });
    return { items };
  },
};

async function* reports(
  before: ReadonlyMap<string, string>,
  removed: Set<string>,
  context: FeatureContext,
): AsyncGenerator<WorkspaceDocumentDiagnosticReport, void, undefined> {
  const { workspace, diagnosis, progress } = context;
  const files = workspace.checkedFolders.flatMap((project) => pathsIn(project).map((path): [Project, string] => [project, path]));
  for (const [at, [project, path]] of files.entries()) {
    await context.pause();
    if (at % partSize === 0) progress.report(`${at} of ${files.length} files`, Math.floor((100 * at) / files.length));
    const { id, items } = await diagnosis.reportAt(project, path);
    if (items.length === 0 && before.size === 0) continue;
    const uri = project.uriOf(path);
    removed.delete(uri);
    const previousId = before.get(uri);
    if (previousId === undefined && items.length === 0) continue;
    const version = project.openVersion(path);
    if (previousId === id) yield { kind: 'unchanged', uri, version, resultId: id };
    else yield { kind: 'full', uri, version, resultId: id, items: [...items] };
  }
}

function pathsIn(project: Project): readonly string[] {
  const configPaths = [...project.knownFiles(), ...project.foreignFiles()].map(({ path }) => path);
  return [...new Set([...configPaths, ...project.unlisted, ...project.toolFiles.paths])].sort();
}
