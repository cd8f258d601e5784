import { createAgentFactory } from '../../core/agent/load/agentFactory.js';
import type { JsonObject } from '../../core/json.js';
import { type MemoryFiles, memoryFiles } from '../support/memoryFiles.js';
import { testPorts } from '../support/testPorts.js';

/** A small Chooser with one enum field and one free field. */
export const chooser = {
  agent_name: 'Labels',
  version: 'v1',
  mode: 'Chooser',
  system_text: 'You label issues.',
  purpose_text: 'Choose the label that fits.',
  input_keys: ['title'],
  output_schema: {
    type: 'object',
    required: ['label', 'reason'],
    additionalProperties: false,
    properties: { label: { type: 'string', enum: ['bug', 'feature'] }, reason: { type: 'string' } },
  },
  enums: { label: ['bug', 'feature'] },
  defaults: { reason: 'not given' },
  model_name: 'gpt-4.1-mini',
} satisfies JsonObject;

export const path = 'config/agents/Labels/v1.json';

/** A project in memory with one agent, changed by `agent`, and the factory on it. */
export function sampleProject(agent: JsonObject = {}, others: Readonly<Record<string, string>> = {}) {
  const files: MemoryFiles = memoryFiles({ [path]: JSON.stringify({ ...chooser, ...agent }, null, 2), ...others });
  const ports = testPorts();
  const environment = { get: (name: string) => (name === 'TEAM' ? 'platform' : undefined) };
  const factory = createAgentFactory({ ports: { ...ports, files, environment } });
  return { files, ports, environment, factory };
}
