import type { ProjectSettings } from '../core/config/projectSettings.js';
import type { ConfigDocument } from './configDocument.js';
import type { ServiceHost } from './host.js';

export interface ProjectInit {
  readonly root: string;
  /** Whether it is no project, but a workspace folder with files of other tools, or none. */
  readonly isBare: boolean;
  /** Project paths of projects inside this one. */
  readonly inner: () => readonly string[];
  /** Whether the client's settings want the files of other tools checked. */
  readonly takesOtherTools: () => boolean;
  readonly host: ServiceHost;
  /** Severities of the client's settings, which count before the project's own. */
  readonly severities: ProjectSettings['rules'];
  /** Open documents of this project by project path. */
  readonly openDocuments: ReadonlyMap<string, ConfigDocument>;
  /** Called with the files whose findings may have changed. */
  readonly onAffected: (paths: ReadonlySet<string> | 'all') => void;
  /** Called with errors of background work. */
  readonly onError: (error: unknown) => void;
  /** Called when the project has to be loaded again. */
  readonly onReload: () => void;
  /** Called when the config folder has changed, so that open documents are of other kinds. */
  readonly onKinds: () => void;
}
