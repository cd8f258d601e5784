import * as vscode from 'vscode';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { AgentPreview } from './agentPreview.js';
import { InputStore } from './inputStore.js';
import { PreviewProject } from './previewProject.js';

/** What all previews of the workspace share: projects as they are edited, and the inputs agents are previewed with. */
export class Previews implements vscode.Disposable {
  readonly inputs: InputStore;
  readonly #services: Services;
  readonly #projects = new Map<string, PreviewProject>();
  readonly #changed = new vscode.EventEmitter<ProjectFolder>();
  readonly #disposables: vscode.Disposable[];
  /** A file, an input or a setting that prompts of a project depend on has changed. Fires often: coalesce. */
  readonly onDidChange = this.#changed.event;

  constructor(services: Services) {
    this.#services = services;
    this.inputs = new InputStore(services.memory);
    this.#disposables = [
      this.inputs,
      this.#changed,
      services.projects.onDidChange((uri) => {
        const folder = services.projects.of(uri);
        const project = folder && this.#projects.get(folder.root);
        project?.change(uri);
        if (project !== undefined) this.#changed.fire(project.folder);
      }),
      this.inputs.onDidChange((key) => {
        for (const { folder } of this.#projects.values()) if (key.startsWith(`${folder.root} `)) this.#changed.fire(folder);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('agentStack.environment')) return;
        for (const { folder } of this.#projects.values()) this.#changed.fire(folder);
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Undefined for a file that belongs to no project. */
  projectOf(uri: vscode.Uri): PreviewProject | undefined {
    const folder = this.#services.projects.of(uri);
    if (folder === undefined) return undefined;
    let project = this.#projects.get(folder.root);
    if (project === undefined) {
      project = new PreviewProject(this.#services, folder);
      this.#projects.set(folder.root, project);
    }
    return project;
  }

  /** @returns undefined for a file that belongs to no project */
  open(uri: vscode.Uri): AgentPreview | undefined {
    const project = this.projectOf(uri);
    return project && new AgentPreview(uri, project, this.inputs);
  }
}
