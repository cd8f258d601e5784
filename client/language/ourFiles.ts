import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { FileIdentity } from '../../core/config/configFile.js';
import { identifyFile, places, settingsIdentity, settingsPath } from '../../core/config/paths.js';
import type { ProjectSettings } from '../../core/config/projectSettings.js';
import { defaultSettings, readSettings } from '../../core/config/readSettings.js';
import type { ProjectFolder, Projects } from '../projects.js';

/** A file in one of our places, which may still belong to another tool. */
export interface OurFile {
  readonly folder: ProjectFolder;
  /** Project path. */
  readonly path: string;
  readonly identity: FileIdentity;
}

type Settings = Pick<ProjectSettings, 'config_dir'>;

/** Which config a file is in its project. Reads the disk only for paths that could be a config in some config folder. */
export class OurFiles {
  private readonly projects: Projects;
  private readonly settings = new Map<string, { readonly changed: number; readonly settings: Settings }>();

  constructor(projects: Projects) {
    this.projects = projects;
  }

  async find(uri: vscode.Uri): Promise<OurFile | undefined> {
    if (uri.scheme !== 'file' || !couldBeOurs(uri.path)) return undefined;
    const folder = this.projects.of(uri);
    const path = folder?.pathOf(uri);
    if (folder === undefined || path === undefined) return undefined;
    const identity = identifyFile(path, await this.settingsOf(folder.root));
    return identity && { folder, path, identity };
  }

  /** As saved: while agentstack.json is typed, nothing moves. Read again when it has changed. */
  private async settingsOf(root: string): Promise<Settings> {
    const file = join(root, settingsPath);
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined) return defaultSettings;
    const cached = this.settings.get(root);
    if (cached?.changed === changed) return cached.settings;
    const { parseConfigFile } = await import('../../core/config/parseConfigFile.js');
    const settings = readSettings(parseConfigFile(settingsPath, readFileSync(file, 'utf8'), settingsIdentity));
    this.settings.set(root, { changed, settings });
    return settings;
  }
}

/** Whether a path ends like the path of a config, below any folder. */
export function couldBeOurs(path: string): boolean {
  if (!path.endsWith('.json')) return false;
  const segments = path.slice(0, -'.json'.length).split('/');
  const name = segments.at(-1);
  if (name === 'agentstack' || (name === '.mcp' && segments.length > 1)) return true;
  return places.some(({ folder, fields, fixed }) => (fixed === undefined ? segments.at(-1 - fields.length) === folder : name === fixed));
}
