import { type Range, SymbolKind, type WorkspaceSymbol, type WorkspaceSymbolParams } from 'vscode-languageserver';
import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { isObject, pointerOf } from '../../core/json.js';
import { compareNatural } from '../../core/names.js';
import type { FeatureContext } from '../feature.js';
import { viewOf } from '../names/fileView.js';
import type { Project } from '../workspace.js';
import { matchName } from './matchName.js';

/** The best matches are returned. */
const mostSymbols = 500;

/** A match before its range is computed. */
interface Candidate {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly containerName: string;
  readonly project: Project;
  readonly path: string;
  /** Pointer of the key or value that contains the name. */
  readonly pointer: string;
  readonly score: number;
}

export async function provideWorkspaceSymbols(
  { query }: WorkspaceSymbolParams,
  context: FeatureContext,
): Promise<readonly WorkspaceSymbol[]> {
  const { workspace, signal, client } = context;
  await workspace.ready(signal);
  const candidates: Candidate[] = [];
  for (const project of workspace.projects) await collect(project, query.trim(), context, (candidate) => candidates.push(candidate));
  candidates.sort(
    (left, right) => right.score - left.score || compareNatural(left.name, right.name) || compareNatural(left.path, right.path),
  );
  const isLazy = client.workspace?.symbol?.resolveSupport?.properties.includes('location.range') === true;
  const symbols: WorkspaceSymbol[] = [];
  for (const candidate of candidates.slice(0, mostSymbols)) {
    await context.pause();
    symbols.push(toSymbol(candidate, { isLazy }));
  }
  return symbols;
}

export function resolveWorkspaceSymbol(symbol: WorkspaceSymbol, { workspace }: FeatureContext): WorkspaceSymbol {
  const { uri, pointer } = (isObject(symbol.data) ? symbol.data : {}) as { readonly uri?: unknown; readonly pointer?: unknown };
  const project = typeof uri === 'string' ? workspace.projectOf(uri) : undefined;
  const path = typeof uri === 'string' ? workspace.document(uri)?.path : undefined;
  if (project === undefined || path === undefined || typeof pointer !== 'string') return symbol;
  return { ...symbol, location: { uri: symbol.location.uri, range: rangeIn(project, path, pointer) } };
}

async function collect(project: Project, query: string, context: FeatureContext, add: (candidate: Candidate) => void): Promise<void> {
  const { index } = project;
  const offer = (name: string, kind: SymbolKind, containerName: string, path: string, pointer: string) => {
    const score = matchName(query, name);
    if (score !== undefined) add({ name, kind, containerName, project, path, pointer, score });
  };
  for (const [id, path] of index.ids('agent')) offer(id, SymbolKind.Class, 'agent', path, '/agent_name');
  for (const [id, path] of index.ids('llm')) offer(id, SymbolKind.Constant, 'llm', path, '/llm_id');
  for (const [id, path] of index.ids('persona')) offer(id, SymbolKind.Interface, 'persona', path, '');
  for (const [id, path] of index.ids('prompt')) offer(id, SymbolKind.String, 'prompt', path, '/name');
  for (const [id, path] of index.ids('mcp')) {
    const servers = index.value('mcp', id)?.servers;
    if (isObject(servers))
      for (const name of Object.keys(servers)) offer(name, SymbolKind.Module, 'MCP server', path, pointerOf('servers', name));
  }
  // The index does not hold teams and tasks, so each orchestration is read.
  for (const [id, path] of index.ids('orchestration')) {
    offer(id, SymbolKind.Module, 'orchestration', path, '/name');
    await context.pause();
    const document = project.documentAt(path);
    const view = document && viewOf(document, project);
    for (const team of teamsIn(view?.value)) {
      offer(team.id, SymbolKind.Namespace, id, path, team.pointer);
      for (const task of tasksIn(team)) {
        if (task.name !== undefined) offer(task.name, SymbolKind.Function, `${id} › ${team.id}`, path, `${task.pointer}/name`);
      }
    }
  }
}

function toSymbol({ name, kind, containerName, project, path, pointer }: Candidate, { isLazy }: { isLazy: boolean }): WorkspaceSymbol {
  const uri = project.uriOf(path);
  const location = isLazy ? { uri } : { uri, range: rangeIn(project, path, pointer) };
  return { name: name || '""', kind, containerName, location, data: { uri, pointer } };
}

/** The range of a name; the start of the file when the file does not contain it. */
function rangeIn(project: Project, path: string, pointer: string): Range {
  const start = { line: 0, character: 0 };
  const document = pointer === '' ? undefined : project.documentAt(path);
  const located = document && viewOf(document, project)?.locate([pointer]).get(pointer);
  if (document === undefined || located === undefined) return { start, end: start };
  // Teams and servers are named by their keys, all others by a field.
  const isKey = /^\/(?:teams|servers)\/[^/]*$/.test(pointer);
  return document.rangeOf((isKey ? located.key : undefined) ?? located.value);
}
