import { FileProblem, type FileSystem } from '../ports.js';
import { parseConfigFile } from './parseConfigFile.js';
import { settingsIdentity, settingsPath } from './paths.js';
import type { ProjectSettings } from './projectSettings.js';
import { defaultSettings, readSettings } from './readSettings.js';

/** The settings of a project; the defaults if agentstack.json is missing, unreadable or broken. */
export async function readProjectSettings(files: Pick<FileSystem, 'readText'>): Promise<ProjectSettings> {
  try {
    return readSettings(parseConfigFile(settingsPath, await files.readText(settingsPath), settingsIdentity));
  } catch (error) {
    if (error instanceof FileProblem) return defaultSettings;
    throw error;
  }
}
