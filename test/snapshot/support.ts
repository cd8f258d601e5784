import { createHash } from 'node:crypto';
import { MemoryIndex } from '../../core/config/memoryIndex.js';
import { parseConfigFile } from '../../core/config/parseConfigFile.js';
import { identifyFile } from '../../core/config/paths.js';
import type { Json, JsonObject } from '../../core/json.js';
import { resolveAgent } from '../../core/snapshot/resolveAgent.js';
import type { CallOverrides, ResolvedAgent } from '../../core/snapshot/types.js';

export const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

export const agentPath = 'config/agents/A/v1.json';

/** Everything a single_shot agent needs but a model. */
export const minimal = {
  agent_name: 'A',
  version: 'v1',
  mode: 'Writer',
  system_text: 's',
  purpose_text: 'p',
  output_schema: { type: 'object' },
} as const;

/** Files by the name they have under `config/`, without `.json`. */
export type Files = { readonly [name: string]: Json | string };

export interface Scenario {
  readonly files: Files;
  readonly environment?: string;
  readonly variables?: { readonly [name: string]: string };
  readonly overrides?: CallOverrides;
}

export function indexOf(files: Files, environment = 'dev'): MemoryIndex {
  const settings = {
    needs_marks: false,
    other_tools: true,
    config_dir: 'config',
    environment,
    rules: {},
    models: {},
    skills: {},
    providers: [],
  };
  const index = new MemoryIndex(settings);
  for (const [name, value] of Object.entries(files)) {
    const path = `config/${name}.json`;
    const identity = identifyFile(path, settings);
    if (!identity) throw new Error(`${path} is no place of a config file`);
    index.set(parseConfigFile(path, typeof value === 'string' ? value : JSON.stringify(value), identity));
  }
  return index;
}

/** Resolves `agents/A/v1`; files are given by their text, so every value goes through a parser as it does outside. */
export function resolve({ files, environment, variables = {}, overrides }: Scenario): ResolvedAgent {
  return resolveAgent({
    agent_name: 'A',
    version: 'v1',
    file: { path: agentPath, value: parsed(files['agents/A/v1']) },
    project: indexOf(files),
    variables: { get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined) },
    ...(environment !== undefined && { environment_name: environment }),
    ...(overrides && { overrides }),
  });
}

function parsed(agent: Json | string | undefined): JsonObject {
  const text = typeof agent === 'string' ? agent : JSON.stringify(agent ?? minimal);
  return JSON.parse(text) as JsonObject;
}

/** `code file#pointer` of every problem. */
export function problemsOf(resolved: ResolvedAgent): string[] {
  return resolved.problems.map(({ code, file, pointer }) => `${code} ${file ?? 'call'}#${pointer}`);
}

/** `layer file#pointer` of a leaf of the agent. */
export function originOf(resolved: ResolvedAgent, pointer: string): string {
  const origin = resolved.origins.get(pointer);
  return origin ? `${origin.layer} ${origin.file ?? '-'}#${origin.pointer}` : 'none';
}
