import { FileProblem, type FileSystem } from '../ports.js';
import type { ConfigFile, FileIdentity } from './configFile.js';
import { parseConfigFile } from './parseConfigFile.js';

/** Reads and parses one config file. One that cannot be read is a file without a value, whose one fault says why. */
export async function readConfigFile(files: Pick<FileSystem, 'readText'>, path: string, identity: FileIdentity): Promise<ConfigFile> {
  try {
    return parseConfigFile(path, await files.readText(path), identity);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const fault = { code: 'json-syntax', message: error.message, range: { start: 0, end: 0 }, pointer: '' } as const;
    return { ...parseConfigFile(path, '', identity), syntax: [fault] };
  }
}
