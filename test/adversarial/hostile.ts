import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';
import { openProject } from '../../core/node/openProject.js';
import type { Project, ProjectRunRequest } from '../../core/project/types.js';
import { type LoopbackOptions, type LoopbackScript, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { validateEvent, validateResult } from '../support/validateRun.js';

/** Shaped like a real key, so that detection of keys by their shape sees it. */
export const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD';

export const agent = {
  agent_name: 'T',
  version: 'v1',
  mode: 'Chooser',
  system_text: 'You judge how a text sounds.',
  purpose_text: 'Choose the tone.',
  retry_attempts: 2,
  output_schema: {
    type: 'object',
    required: ['tone'],
    properties: { tone: { type: 'string', enum: ['friendly', 'formal'] }, n: { type: 'number' } },
  },
  enums: { tone: ['friendly', 'formal'] },
};

export const agentPath = 'config/agents/T/v1.json';

/** A folder with these files; what is neither text nor bytes is written as JSON. */
export function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  return folder;
}

/** A project whose agent asks a scripted server on this machine. */
export async function served(script: LoopbackScript, options: LoopbackOptions & { readonly provider?: string } = {}) {
  const server = await startLoopbackOpenAi(script, options);
  onTestFinished(() => server.close());
  const profile = { llm_id: 'real', provider: options.provider ?? 'openai', model_name: 'gpt-4.1-mini', base_url: server.url };
  const folder = folderWith({
    [agentPath]: { ...agent, llm_config_id: 'real' },
    'config/llms/real.json': { ...profile, api_key: 'secret://openai_api_key' },
  });
  return { server, folder, project: openWithKey(folder) };
}

export function openWithKey(folder: string, log: (line: string) => void = () => undefined): Project {
  const environment = createNodeEnvironment({ OPENAI_API_KEY: key, NO_PROXY: '*' });
  const logger = { log: (...entry: unknown[]) => log(JSON.stringify(entry)) };
  return openProject(folder, { ports: { environment, logger } });
}

export interface Ran {
  readonly result: RunResult;
  readonly events: readonly AgentEvent[];
}

/** Runs the agent and holds every event and the result to their schemas. */
export async function run(project: Project, request: Partial<ProjectRunRequest> = {}): Promise<Ran> {
  const events: AgentEvent[] = [];
  for await (const event of project.run({ agent_name: 'T', version: 'v1', payload: { text: 'Hi' }, keep: 'folder', ...request }))
    events.push(event);
  const last = events.at(-1)!;
  if (!last.final) throw new Error('The last event is not final');
  expect(events.flatMap(validateEvent)).toEqual([]);
  expect(validateResult(last.result)).toEqual([]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  return { result: last.result, events };
}

/** Every file below a folder, by path. */
export function readAll(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}
