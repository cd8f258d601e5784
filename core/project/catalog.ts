import { splitAgentReference } from '../config/agentReference.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { pathOf } from '../config/paths.js';
import { isObject } from '../json.js';
import { FileProblem } from '../ports.js';
import { describeAgent, describeOrchestration } from '../serve/describe.js';
import { nameTools, saysExpose, type Unnamed } from '../serve/exposed.js';
import type { Catalog, CatalogState } from '../serve/served.js';
import type { CallOverrides } from '../snapshot/types.js';
import type { ConfigChanges } from './adapters.js';
import type { Project } from './types.js';

export interface CatalogOptions {
  readonly project: Project;
  readonly changes: ConfigChanges;
  /** In place of the profiles of all agents. */
  readonly llm?: string | undefined;
}

/** What a project exposes, read again when a file has changed. */
export class ProjectCatalog implements Catalog {
  readonly #options: CatalogOptions;
  #mark = '';
  #state: Promise<CatalogState> | undefined;

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  get overrides(): CallOverrides | undefined {
    const { llm } = this.#options;
    return llm === undefined ? undefined : { llm };
  }

  /** As the files are now. */
  current(): Promise<CatalogState> {
    const mark = this.#look();
    if (this.#state === undefined || mark !== this.#mark) {
      this.#mark = mark;
      const state = this.#read();
      this.#state = state;
      // What could not be read once is tried again.
      state.catch(() => {
        if (this.#state === state) this.#state = undefined;
      });
    }
    return this.#state;
  }

  /** Tells of each change of the files until it is told to stop. Does not keep the process alive. */
  watch(onChange: () => void): () => void {
    let mark = this.#look();
    return this.#options.changes.poll(() => {
      const now = this.#look();
      if (now === mark) return;
      mark = now;
      onChange();
    });
  }

  #configFolder = 'config';

  #look(): string {
    return this.#options.changes.fingerprint(this.#configFolder);
  }

  async #read(): Promise<CatalogState> {
    const index = await this.#options.project.index();
    this.#configFolder = index.settings.config_dir;
    const found: Unnamed[] = [];
    for (const id of index.ids('agent').keys()) {
      const one = await this.#agent(index, id);
      if (one !== undefined) found.push(one);
    }
    for (const [name, file] of index.ids('orchestration')) {
      const one = await this.#orchestration(index, name, file);
      if (one !== undefined) found.push(one);
    }
    return { index, exposed: nameTools(found) };
  }

  async #agent(index: LoadedIndex, id: string): Promise<Unnamed | undefined> {
    const file = pathOf('agent', id, index.settings);
    if (!saysExpose(await this.#text(file))) return undefined;
    const { name, version } = splitAgentReference(id);
    const loaded = await this.#options.project.load({
      index,
      agent_name: name,
      version,
      ...(this.overrides && { overrides: this.overrides }),
    });
    return describeAgent({ name, version: version ?? null, id, file }, loaded);
  }

  async #orchestration(index: LoadedIndex, name: string, file: string): Promise<Unnamed | undefined> {
    if (!saysExpose(await this.#text(file))) return undefined;
    const value = index.read.get(file)?.value;
    const description = isObject(value) && typeof value.description === 'string' ? value.description : undefined;
    const loaded = await this.#options.project.loadOrchestration({ index, name, ...(this.overrides && { overrides: this.overrides }) });
    return describeOrchestration({ name, version: null, id: name, file }, loaded, description);
  }

  /** Empty where it cannot be read: nobody knows then that it is exposed. */
  async #text(file: string): Promise<string> {
    try {
      return await this.#options.project.ports.files.readText(file);
    } catch (error) {
      if (error instanceof FileProblem) return '';
      throw error;
    }
  }
}
