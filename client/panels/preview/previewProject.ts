import * as vscode from 'vscode';
import type { LoadedIndex } from '../../../core/config/loadProjectIndex.js';
import { parseConfigFile, parseConfigObject } from '../../../core/config/parseConfigFile.js';
import { identifyFile, settingsPath } from '../../../core/config/paths.js';
import { isObject } from '../../../core/json.js';
import { FileProblem, type FileSystem } from '../../../core/ports.js';
import type { Project } from '../../../core/project/types.js';
import { loadSchemaCompiler, type SchemaCompiler } from '../../../core/schema/schemaCompiler.js';
import { openEditorProject } from '../../editorProject.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { type InputValues, toValues } from './inputFields.js';

/** A project as it is being edited: its index is kept, and only changed files are read again. */
export class PreviewProject {
  readonly folder: ProjectFolder;
  readonly #services: Services;
  /** Project paths to be read again. */
  readonly #changed = new Set<string>();
  readonly #payloads = new Map<string, InputValues | undefined>();
  #index: Promise<LoadedIndex> | undefined;
  #project: Promise<Project> | undefined;

  constructor(services: Services, folder: ProjectFolder) {
    this.#services = services;
    this.folder = folder;
  }

  /** The project with the editor's ports: what is typed counts before it is saved. */
  get project(): Promise<Project> {
    this.#project ??= openEditorProject(this.#services, this.folder, 'editors');
    return this.#project;
  }

  get ports(): Promise<Project['ports']> {
    return this.project.then(({ ports }) => ports);
  }

  get schemas(): Promise<SchemaCompiler> {
    return loadSchemaCompiler();
  }

  /** The environment the user chose; undefined for the project's own. */
  get environment(): string | undefined {
    return vscode.workspace.getConfiguration('agentStack', this.folder.uri).get<string>('environment', '') || undefined;
  }

  /** Says that a file may be different now. */
  change(uri: vscode.Uri): void {
    const path = this.folder.pathOf(uri);
    if (path === undefined) return;
    this.#changed.add(path);
    this.#payloads.delete(path);
  }

  /** Reads everything again, after a change without an event, such as a moved folder. */
  reload(): void {
    this.#index = undefined;
    this.#payloads.clear();
  }

  async index(): Promise<LoadedIndex> {
    if (this.#changed.has(settingsPath)) this.reload();
    if (this.#index === undefined) {
      this.#changed.clear();
      this.#index = this.project.then((project) => project.index());
      this.#index.catch(() => this.reload());
      return this.#index;
    }
    const index = await this.#index;
    if (this.#changed.size > 0) await this.#refresh(index);
    return index;
  }

  /** The input a payload file holds; undefined while it has no input. */
  async payload(path: string): Promise<InputValues | undefined> {
    if (!this.#payloads.has(path)) this.#payloads.set(path, await readPayload((await this.ports).files, path));
    return this.#payloads.get(path);
  }

  async #refresh(index: LoadedIndex): Promise<void> {
    const { files } = await this.ports;
    const paths = [...this.#changed];
    this.#changed.clear();
    for (const path of paths) {
      const identity = identifyFile(path, index.settings);
      if (identity === undefined) continue;
      // What these say lies under no other file: that they are there is all the index has to know.
      const isListed = identity.kind === 'agent' || identity.kind === 'payload';
      if (isListed && index.identityOf(path) !== undefined && this.#isOpen(path)) continue;
      try {
        const text = await files.readText(path);
        if (isListed) index.announce(path, identity);
        else index.set(parseConfigFile(path, text, identity));
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error;
        if (error.reason === 'not-found') index.remove(path);
        else index.setUnreadable(path, identity);
      }
    }
  }

  #isOpen(path: string): boolean {
    const uri = this.folder.uriOf(path).toString();
    return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri && document.isDirty);
  }
}

async function readPayload(files: FileSystem, path: string): Promise<InputValues | undefined> {
  try {
    const input = parseConfigObject(await files.readText(path))?.input;
    return isObject(input) ? toValues(input) : undefined;
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}
