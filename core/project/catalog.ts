import { splitAgentReference } from '../config/agentReference.js';
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
  readonly #watchers = new Set<() => void>();
  #stopLooking: (() => void) | undefined;
  #mark = '';
  #state: Promise<CatalogState> | undefined;

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** For each load and run. */
  get overrides(): { readonly overrides?: CallOverrides } {
    const { llm } = this.#options;
    return llm === undefined ? {} : { overrides: { llm } };
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
    this.#watchers.add(onChange);
    this.#stopLooking ??= this.#startLooking();
    return () => {
      this.#watchers.delete(onChange);
      if (this.#watchers.size > 0) return;
      this.#stopLooking?.();
      this.#stopLooking = undefined;
    };
  }

  /** One look at the files for all that watch. */
  #startLooking(): () => void {
    let mark = this.#look();
    return this.#options.changes.poll(() => {
      const now = this.#look();
      if (now === mark) return;
      mark = now;
      for (const tell of this.#watchers) tell();
    });
  }

  #configFolder = 'config';

  #look(): string {
    return this.#options.changes.fingerprint(this.#configFolder);
  }

  async #read(): Promise<CatalogState> {
    const { project } = this.#options;
    const index = await project.index();
    this.#configFolder = index.settings.config_dir;
    const exposed: Unnamed[] = [];
    for (const id of index.ids('agent').keys()) {
      const file = pathOf('agent', id, index.settings);
      if (!(await this.#isExposed(file))) continue;
      const { name, version } = splitAgentReference(id);
      const loaded = await project.load({ index, agent_name: name, version, ...this.overrides });
      exposed.push(describeAgent({ name, version: version ?? null, id, file }, loaded));
    }
    for (const [name, file] of index.ids('orchestration')) {
      if (!(await this.#isExposed(file))) continue;
      const value = index.read.get(file)?.value;
      const description = isObject(value) && typeof value.description === 'string' ? value.description : undefined;
      const loaded = await project.loadOrchestration({ index, name, ...this.overrides });
      exposed.push(describeOrchestration({ name, version: null, id: name, file }, loaded, description));
    }
    return { index, exposed: nameTools(exposed) };
  }

  /** False where it cannot be read: nobody knows then that it is exposed. */
  async #isExposed(file: string): Promise<boolean> {
    try {
      return saysExpose(await this.#options.project.ports.files.readText(file));
    } catch (error) {
      if (error instanceof FileProblem) return false;
      throw error;
    }
  }
}
