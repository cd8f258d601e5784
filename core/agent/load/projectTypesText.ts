import type { LoadedIndex } from '../../config/loadProjectIndex.js';
import type { JsonObject } from '../../json.js';
import { agentNames } from '../../names.js';
import { keyOf, schemaType } from '../../schema/schemaType.js';
import type { EffectiveAgent } from '../../snapshot/effective.js';
import type { LoadedAgent } from './loadAgent.js';
import { Refused } from './refused.js';

export interface ProjectTypes {
  /** A declaration file. */
  readonly text: string;
  /** Agents and orchestrations whose types are unknown, since they cannot run, and why. */
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
}

export interface ProjectTypesRequest {
  readonly index: LoadedIndex;
  readonly load: (agent: { readonly agent_name: string; readonly version: string }) => Promise<LoadedAgent | Refused>;
  /** The member of an orchestration (`orchestrationTypes`), or why it cannot run. */
  readonly typesOf: (orchestration: string) => Promise<string | Refused>;
}

/** The input and output types of every agent and orchestration, as a declaration file that adds them to the library's types. */
export async function projectTypesText({ index, load, typesOf }: ProjectTypesRequest): Promise<ProjectTypes> {
  const names = agentNames(index);
  const left_out: { name: string; reason: string }[] = [];
  const entries: string[] = [];
  for (const agent_name of names) {
    let newest: string | undefined;
    for (const version of index.versions(agent_name)) {
      const name = `${agent_name}@${version}`;
      const loaded = await load({ agent_name, version });
      newest = undefined;
      if (loaded instanceof Refused) left_out.push({ name, reason: loaded.error.message });
      else {
        newest = name;
        entries.push(entryOf(name, loaded.agent.resolved.config));
      }
    }
    if (newest !== undefined) entries.push(`    ${keyOf(agent_name)}: ProjectAgents[${JSON.stringify(newest)}];`);
  }
  const orchestrations: string[] = [];
  for (const name of index.ids('orchestration').keys()) {
    const types = await typesOf(name);
    if (types instanceof Refused) left_out.push({ name, reason: types.error.message });
    else orchestrations.push(types);
  }
  return { text: fileOf(entries, orchestrations), left_out };
}

const importable = { 'agent-stack/core': ['Json', 'JsonObject'], 'agent-stack/node': ['Open', 'TaskOutcome'] };

function fileOf(agents: readonly string[], orchestrations: readonly string[]): string {
  const entries = [...agents, ...orchestrations];
  const head = '// Made by `agent-stack types` from the config files. Change them, not this file.\n';
  // The names are used if a schema does not say more.
  const isUsed = (name: string) => entries.some((entry) => new RegExp(`\\b${name}\\b`).test(entry));
  const imports = Object.entries(importable).flatMap(([module, names]) => {
    const used = names.filter(isUsed);
    return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from '${module}';\n`];
  });
  const lines = imports.length === 0 ? 'export {};\n' : imports.join('');
  const members = [interfaceOf('ProjectAgents', agents), interfaceOf('ProjectOrchestrations', orchestrations)].join('');
  return `${head}${lines}\ndeclare module 'agent-stack/node' {\n${members}}\n`;
}

function interfaceOf(name: string, members: readonly string[]): string {
  return members.length === 0 ? '' : `  interface ${name} {\n${members.join('\n')}\n  }\n`;
}

function entryOf(name: string, config: EffectiveAgent): string {
  const indent = '      ';
  const output = config.output_schema === undefined ? 'Json' : schemaType(config.output_schema, indent);
  return `    ${keyOf(name)}: {\n${indent}readonly payload: ${payloadType(config, indent)};\n${indent}readonly output: ${output};\n    };`;
}

/** The type of `input_schema`, with every key of `input_keys`. */
function payloadType({ input_schema, input_keys = [] }: EffectiveAgent, indent: string): string {
  const described = input_schema?.properties ?? {};
  const missing = input_keys.filter((key) => !Object.hasOwn(described as JsonObject, key));
  const keys = missing.map((key) => `readonly ${keyOf(key)}: unknown`).join('; ');
  if (input_schema === undefined) return keys === '' ? 'object' : `Open<{ ${keys} }>`;
  const type = schemaType(input_schema, indent);
  return keys === '' ? type : `${type} & { ${keys} }`;
}
