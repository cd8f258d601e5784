import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import { debounce } from '../../debounce.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import { isConfigPath, type ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { childrenOf, groupsOf, type ListedProject } from './children.js';
import { listProject } from './listing.js';
import type { AgentsNode } from './nodes.js';
import { describe } from './tooltip.js';
import { toTreeItem } from './treeItem.js';

/** The content of the view. A project is listed once and again after files were added or removed; files are read when they are shown. */
export class AgentsTree implements vscode.Disposable {
  private readonly services: Services;
  private readonly notify: () => void;
  private readonly listed = new Map<string, Promise<ListedProject>>();
  /** The files of each listed project: absolute paths, by project. */
  private readonly configFolders = new Map<string, string>();
  private folders: Promise<readonly ProjectFolder[]> | undefined;
  private readonly disposables: vscode.Disposable[] = [];

  /** @param tell called when what is shown has changed */
  constructor(services: Services, tell: () => void) {
    this.services = services;
    this.notify = tell;
    const changes = debounce<string>((uris) => this.update(uris.map((uri) => vscode.Uri.parse(uri, true))));
    // When a whole folder is added or removed, its files are not reported.
    const folders = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
    const ofFolder = ({ fsPath, path }: vscode.Uri) => {
      const isNear = [...this.configFolders.values()].some((folder) => fsPath.startsWith(folder) || folder.startsWith(fsPath));
      if (isNear && !isConfigPath(path)) changes.add(vscode.Uri.file(fsPath).toString());
    };
    this.disposables.push(
      changes,
      folders,
      folders.onDidCreate(ofFolder),
      folders.onDidDelete(ofFolder),
      services.projects.onDidChange((uri) => changes.add(uri.toString())),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('agentStack.environment')) return;
        this.listed.clear();
        tell();
      }),
    );
  }

  async childrenOf(node: AgentsNode | undefined): Promise<readonly AgentsNode[]> {
    if (node !== undefined) return childrenOf(node, await this.project(node.folder));
    this.folders ??= this.services.projects.list();
    const projects = await Promise.all((await this.folders).map((folder) => this.project(folder)));
    const [only] = projects;
    if (only === undefined) return [];
    if (projects.length === 1) return groupsOf(only);
    return projects.map(({ folder, listing }) => ({ kind: 'project', folder, agentCount: listing.agents.length }));
  }

  itemOf(node: AgentsNode): vscode.TreeItem {
    return toTreeItem(node);
  }

  tooltipOf(node: AgentsNode): Promise<vscode.MarkdownString | undefined> {
    return describe(node);
  }

  /** Reads the disk again. */
  refresh(): void {
    this.folders = undefined;
    this.listed.clear();
    this.configFolders.clear();
    this.notify();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private project(folder: ProjectFolder): Promise<ListedProject> {
    let project = this.listed.get(folder.root);
    if (project === undefined) {
      project = list(folder);
      this.listed.set(folder.root, project);
      project.then(
        ({ listing }) => this.configFolders.set(folder.root, join(folder.root, listing.settings.config_dir)),
        // The next request tries again.
        () => this.listed.delete(folder.root),
      );
    }
    return project;
  }

  private async update(uris: readonly vscode.Uri[]): Promise<void> {
    const folders = (await this.folders) ?? [];
    let isShown = false;
    for (const uri of uris) {
      const ownProject = this.services.projects.of(uri);
      const hasGone = ownProject === undefined && folders.some((folder) => folder.pathOf(uri) !== undefined);
      const isNew = ownProject !== undefined && !folders.includes(ownProject);
      if (hasGone || isNew) {
        this.refresh();
        return;
      }
      const listing = ownProject && (await this.listed.get(ownProject.root));
      if (listing === undefined) continue;
      const effect = effectOf(ownProject?.pathOf(uri) ?? '', existsSync(uri.fsPath), listing);
      if (effect === 'files') this.listed.delete(listing.folder.root);
      isShown ||= effect !== 'none';
    }
    if (isShown) this.notify();
  }
}

/** What a change of one path means for the view: other files, another text of an entry, or nothing. */
function effectOf(path: string, isThere: boolean, { listing }: ListedProject): 'files' | 'text' | 'none' {
  const { settings, paths } = listing;
  if (!isConfigPath(path)) {
    const isOurs = isThere
      ? settings.config_dir === '.' || `${path}/`.startsWith(`${settings.config_dir}/`)
      : [...paths].some((each) => each.startsWith(`${path}/`));
    return isOurs ? 'files' : 'none';
  }
  const identity = identifyFile(path, settings);
  if (identity === undefined) return 'none';
  if (identity.kind === 'settings' || isThere !== paths.has(path)) return 'files';
  return identity.kind === 'llm' || identity.kind === 'mcp' ? 'text' : 'none';
}

async function list(folder: ProjectFolder): Promise<ListedProject> {
  const files = createEditorFiles(folder);
  const listing = await listProject(files, () => new Promise((resolve) => setImmediate(resolve)));
  const chosen = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
  return { folder, listing, files, environment: chosen || listing.settings.environment };
}
