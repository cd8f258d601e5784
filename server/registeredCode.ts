import { nothingRegistered, type Registered } from '../core/config/projectIndex.js';
import type { ProjectSettings } from '../core/config/projectSettings.js';
import type { ServiceHost } from './host.js';

export interface RegisteredCodeInit {
  readonly registeredIn: ReturnType<ServiceHost['registeredIn']>;
  readonly settings: () => ProjectSettings;
  readonly onRegistered: (registered: Registered) => void;
}

/** What the tool module of a project registers. No request waits for it: until it has loaded, any name may be registered. */
export class RegisteredCode {
  private readonly init: RegisteredCodeInit;
  private reads = 0;

  constructor(init: RegisteredCodeInit) {
    this.init = init;
  }

  /** Whether a file is the tool module, or code beside it that the module may import. */
  isPart(path: string): boolean {
    const module = this.init.settings().tools;
    if (module === undefined || !/\.[cm]?[jt]s$/.test(path) || path.includes('node_modules/')) return false;
    const folders = module
      .split('/')
      .slice(0, -1)
      .filter((name) => name !== '.');
    return path.startsWith(folders.map((name) => `${name}/`).join(''));
  }

  async read(): Promise<void> {
    const settings = this.init.settings();
    this.reads += 1;
    const { reads } = this;
    const registered = settings.tools === undefined ? nothingRegistered : await this.init.registeredIn(settings);
    // The module may have changed again meanwhile.
    if (reads === this.reads && settings === this.init.settings()) this.init.onRegistered(registered);
  }
}
