import type { ConfigFile } from '../config/configFile.js';
import { pointerOf } from '../json.js';
import type { Kind } from '../kinds.js';
import type { ForeignFile } from '../otherTools/foreignFile.js';
import type { Report, Rule } from './rule.js';

/** Another tool's file in a folder of config files. No other rule checks it. */
export const foreignFile: Rule = {
  code: 'foreign-file',
  severity: 'info',
  kinds: 'all',
  on: 'value',
  check(file, _context, report) {
    if (file.foreign !== undefined && !file.foreign.isUnmarked) report(foreignFinding(file, file.foreign));
  },
};

export function foreignFinding({ identity }: ConfigFile, { what, key, from, isUnmarked }: ForeignFile): Parameters<Report>[0] {
  if (isUnmarked)
    return {
      pointer: '',
      message: `Nothing shows that this file is ${names[identity.kind]} of Agent Stack, so it is left alone. Add an agentstack.json (\`{}\` is enough): then every file in these folders is one of the project.`,
    };
  return {
    pointer: pointerOf(key),
    target: 'key',
    message:
      `This looks like ${what}, so it is not read as ${names[identity.kind]}. ` +
      (from === undefined
        ? 'Move it to another folder, or write it with the fields that docs/config.md lists.'
        : 'Move it to another folder and import it from there with `agent-stack import`, or write it with the fields that docs/config.md lists.'),
  };
}

const names: Readonly<Record<Kind, string>> = {
  settings: 'settings of the project',
  agent: 'an agent',
  llm: 'an LLM profile',
  persona: 'a persona',
  prompt: 'a prompt',
  mcp: 'a list of MCP servers',
  lock: 'a lock file',
  rootMcp: 'a list of MCP servers',
  vscodeMcp: 'a list of MCP servers',
  orchestration: 'an orchestration',
  system: 'settings of the system',
  payload: 'a payload',
  baseline: 'a baseline',
};
