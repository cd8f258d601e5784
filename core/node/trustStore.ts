import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject } from '../json.js';
import type { Environment } from '../ports.js';
import { errorCode, toFileProblem } from './fileErrors.js';
import { realOrGiven } from './projectPaths.js';
import { temporaryPlace } from './temporaryFiles.js';
import { fill, openNew } from './writeFiles.js';

/** The user's decision whether a project's code may run. */
export type Trust = 'trusted' | 'untrusted';

/** The user's decisions about projects on this machine: a user file outside all projects, so that none can trust itself. */
export interface TrustStore {
  /** Absolute path of the file. */
  readonly path: string;
  /** @param root path of a project @throws FileProblem if the file cannot be read or parsed */
  get(root: string): Trust | undefined;
  /** @throws FileProblem if the file cannot be written, or exists and cannot be parsed */
  set(root: string, trust: Trust): void;
}

export function openTrustStore(environment: Environment): TrustStore {
  const path = join(settingsFolder(environment), 'agent-stack', 'trust.json');
  return {
    path,
    get(root) {
      const projects = read(path);
      const real = realOrGiven(root);
      return Object.hasOwn(projects, real) ? projects[real] : undefined;
    },
    set(root, trust) {
      const projects = { ...read(path), [realOrGiven(root)]: trust };
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const temporary = temporaryPlace(path);
        fill(openNew(temporary), `${JSON.stringify({ projects }, null, 2)}\n`, { mode: 0o600, durable: false });
        renameSync(temporary, path);
      } catch (error) {
        throw toFileProblem(error, path, 'written');
      }
    },
  };
}

function settingsFolder(environment: Environment): string {
  const home = environment.get('HOME') || homedir();
  if (process.platform === 'win32') return environment.get('APPDATA') || join(home, 'AppData', 'Roaming');
  return environment.get('XDG_CONFIG_HOME') || join(home, '.config');
}

function read(path: string): Readonly<Record<string, Trust>> {
  let projects: unknown;
  try {
    projects = JSON.parse(readFileSync(path, 'utf8')).projects;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw toFileProblem(error, path, 'read');
  }
  const isTrust = (value: unknown): value is Trust => value === 'trusted' || value === 'untrusted';
  if (!isObject(projects) || !Object.values(projects).every(isTrust))
    throw toFileProblem(new Error('it holds something else than projects and whether they are trusted. Mend or remove it'), path, 'read');
  return projects as unknown as Record<string, Trust>;
}
