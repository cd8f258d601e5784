import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { type ComparedSide, createSide } from '../../core/diff/comparedSide.js';
import { freezeSubject, type ProjectState } from '../../core/diff/freezeSubject.js';
import type { Json } from '../../core/json.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { testPorts } from '../support/testPorts.js';

/** Files by the name they have under `config/`, without `.json`; a text has its own ending. */
export type Files = { readonly [name: string]: Json | undefined };

const schemas = await loadSchemaCompiler();

/** A project in memory. */
export async function stateOf(files: Files): Promise<ProjectState> {
  const texts = Object.entries(files).flatMap(([path, value]) => {
    if (value === undefined) return [];
    return [typeof value === 'string' ? [`config/${path}`, value] : [`config/${path}.json`, JSON.stringify(value)]];
  });
  const ports = {
    ...testPorts(),
    files: memoryFiles({ 'agentstack.json': '{}', ...Object.fromEntries(texts) }),
    environment: { get: () => undefined },
  };
  return { index: await loadProjectIndex(ports.files), ports, schemas };
}

/** A subject of a project in memory, frozen: `A` is the agent A@v1, any other name that of an orchestration. */
export async function sideOf(side: ComparedSide['side'], files: Files, name = 'A', environment = 'dev'): Promise<ComparedSide> {
  const state = await stateOf(files);
  const subject = /^[A-Z]/.test(name) ? ({ kind: 'agent', name, version: 'v1' } as const) : ({ kind: 'orchestration', name } as const);
  const { snapshot } = await freezeSubject(state, subject, environment);
  if (snapshot === undefined) throw new Error('Nothing could be frozen.');
  return createSide(side, snapshot, schemas);
}

/** Both sides of a change of files, of which `undefined` removes one. */
export async function sidesOf(files: Files, change: Files, name = 'A'): Promise<readonly [ComparedSide, ComparedSide]> {
  return [await sideOf('before', files, name), await sideOf('after', { ...files, ...change }, name)];
}
