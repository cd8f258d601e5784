import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BehaviourDiff } from '../../core/diff/types.js';
import { type CompareOptions, compareWithCommit } from '../../core/node/compareWithCommit.js';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';
import { openProject } from '../../core/node/openProject.js';
import { createEvalAdapters } from '../../core/node/projectAdapters.js';
import { gitIn } from './gitIn.js';
import { temporaryFolder } from './temporaryFolder.js';

/** Project paths to values, written as JSON, or texts; null removes a file. */
export type ProjectFiles = Readonly<Record<string, object | string | null>>;

export function writeProject(folder: string, files: ProjectFiles): void {
  for (const [path, value] of Object.entries(files)) {
    const target = join(folder, path);
    if (value === null) {
      rmSync(target, { recursive: true });
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  }
}

/** A repository whose only commit has `before`, and whose working tree has the changes. */
export function changedProject(before: ProjectFiles, change: ProjectFiles = {}): string {
  const folder = temporaryFolder();
  gitIn(folder, 'init', '-q', '-b', 'main');
  writeProject(folder, before);
  gitIn(folder, 'add', '.');
  gitIn(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
  writeProject(folder, change);
  return folder;
}

/** What `agent-stack diff` compares. */
export function compareFolder(
  folder: string,
  options: CompareOptions & { readonly variables?: NodeJS.ProcessEnv } = {},
): Promise<BehaviourDiff> {
  const { variables = {}, ...compared } = options;
  const project = openProject(folder, { ports: { environment: createNodeEnvironment(variables) }, loadTools: 'never' });
  return compareWithCommit({ project, adapters: createEvalAdapters(folder, folder), environment: undefined }, folder, compared);
}

/** Two agents, an orchestration of both, and an environment with a budget. */
export const smallProject: ProjectFiles = {
  'agentstack.json': {},
  'config/llms/main.json': { llm_id: 'main', provider: 'openai', model_name: 'gpt-5.4-mini', api_key: 'secret://openai' },
  'config/agents/Tone/v1.json': {
    system_text: 'Say how a text sounds.',
    input_keys: ['text'],
    output_schema: {
      type: 'object',
      required: ['tone'],
      properties: { tone: { type: 'string', enum: ['formal', 'casual'] }, why: { type: 'string' } },
      additionalProperties: false,
    },
  },
  'config/agents/Reply/v1.json': {
    system_text: 'Answer the text in its tone.',
    input_keys: ['text', 'tone'],
    output_schema: { type: 'object', required: ['reply'], properties: { reply: { type: 'string' } }, additionalProperties: false },
  },
  'config/orchestrations/flow.json': {
    entry_team: 'judge',
    context: { text: 'Hello' },
    teams: {
      judge: {
        name: 'Judge',
        tasks: [{ name: 'tone', agent: 'Tone@v1', input: { text: '{{context.text}}' } }],
        routing: {
          rules: [{ condition: { task: 'tone', output_field: 'tone', operator: 'equals', value: 'formal' }, next_team: 'reply' }],
          default: null,
        },
      },
      reply: {
        name: 'Reply',
        tasks: [{ name: 'reply', agent: 'Reply@v1', input: { text: '{{context.text}}', tone: 'formal' } }],
        routing: { default: null },
      },
    },
  },
  'config/environments/prod.json': { agent_defaults: { budget: { max_cost: 1 } } },
};
