import type { ConfigFile } from '../../config/configFile.js';

/** Sections of system.json and tasks hold fragments of agents and llm profiles; which strings expand depends on the path inside the fragment. */
export function pathInFragment({ identity }: Pick<ConfigFile, 'identity'>, path: readonly string[]): readonly string[] {
  // Below `teams`, only the `config` of a task is a fragment.
  if (identity.kind === 'orchestration') return path[4] === 'config' ? path.slice(5) : path;
  if (identity.kind !== 'system') return path;
  const [section] = path;
  if (section === 'agents' || section === 'llms') return path.slice(2);
  return section === 'agent_defaults' || section === 'persona_defaults' ? path.slice(1) : path;
}
