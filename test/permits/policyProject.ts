import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import type { Policy } from '../../core/generated/types.js';
import type { JsonObject } from '../../core/json.js';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import { type OpenProjectOptions, openProject } from '../../core/node/openProject.js';
import type { AgentRunOptions, Project } from '../../core/project/types.js';
import { hashTool } from '../../core/tools/mcp/lock.js';
import { repository, temporaryProject, write } from '../cli/command.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';
import { looping } from './support.js';

const parameters = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'], additionalProperties: false };

/** The tools of each server with their labels; null: pinned without labels. A server without tools is not in the lock. */
export type ServerLabels = Readonly<Record<string, Readonly<Record<string, JsonObject | null>> | 'unlisted'>>;

export const calls = (...list: readonly (string | readonly [string, JsonObject])[]): ScriptedAnswer => ({
  chunks: [],
  calls: list.map((each) => (typeof each === 'string' ? { name: each, input: { q: each } } : { name: each[0], input: each[1] })),
});
export const says = (text: string): ScriptedAnswer => ({ chunks: [text] });

export const standard: ServerLabels = {
  github: { search: { reads: 'private', untrusted: true }, close: { changes: true } },
  mail: { send: { sends: true, changes: true }, count: {}, odd: null },
};

/** An agent for `policyProject`. */
export function agent(agent_name: string, fields: JsonObject = {}): JsonObject {
  return looping(agent_name, { system_text: agent_name, output_schema: null, provider: 'openai', model_name: 'script', ...fields });
}

export function projectFiles(policy: Policy | undefined, files: Readonly<Record<string, JsonObject>>, servers: ServerLabels = standard) {
  const hash = (name: string) =>
    hashTool({ description: `Does ${name}.`, parameters }, (text) => createHash('sha256').update(text).digest('hex'));
  const locked = Object.entries(servers).flatMap(([id, tools]) => {
    if (tools === 'unlisted') return [];
    const pinned = Object.entries(tools).map(([name, labels]) => [
      name,
      { description: `Does ${name}.`, parameters, hash: hash(name), ...(labels && { labels }) },
    ]);
    return [[id, { tools: Object.fromEntries(pinned) }]];
  });
  return {
    ...Object.fromEntries(Object.entries(files).map(([path, value]) => [`config/${path}.json`, value])),
    ...(policy && { 'config/system.json': { policy } }),
    'config/mcp.lock.json': { format: 1, servers: Object.fromEntries(locked) },
  };
}

/** mcp.json with real servers, which write their calls into `calls.txt`. @param more tools that a server has and the lock has not */
export function mcpOf(folder: string, servers: ServerLabels, more: Readonly<Record<string, readonly string[]>> = {}): JsonObject {
  const script = join(repository, 'test/fixtures/run/labelledServer.mjs');
  const args = (id: string) => {
    const tools = servers[id];
    return [script, join(folder, 'calls.txt'), ...(typeof tools === 'object' ? Object.keys(tools) : []), ...(more[id] ?? [])];
  };
  return { servers: Object.fromEntries(Object.keys(servers).map((id) => [id, { command: process.execPath, args: args(id) }])) };
}

export interface PolicyRun {
  readonly events: readonly AgentEvent[];
  readonly result: RunResult;
}

export interface PolicyProject {
  readonly folder: string;
  readonly project: Project;
  /** What the servers were asked to do. */
  readonly called: () => readonly string[];
  run(name: string, options?: Partial<AgentRunOptions>): Promise<PolicyRun>;
}

export interface PolicyProjectOptions extends Pick<OpenProjectOptions, 'tools'> {
  readonly policy?: Policy;
  readonly files: Readonly<Record<string, JsonObject>>;
  readonly servers?: ServerLabels;
  readonly more?: Readonly<Record<string, readonly string[]>>;
  /** The answers of each agent's model, by the name of the agent. */
  readonly script: Readonly<Record<string, readonly ScriptedAnswer[]>>;
}

/** A project with a policy, real servers, and models that answer from a script. */
export function policyProject({ policy, files, servers = standard, more, script, tools }: PolicyProjectOptions): PolicyProject {
  const folder = temporaryProject(projectFiles(policy, files, servers));
  write(folder, 'config/mcp.json', mcpOf(folder, servers, more));
  const models = new Map(Object.entries(script).map(([name, answers]) => [name, scriptedModel(...answers)]));
  const modelOf = (system: unknown) => {
    const name = String(system).split('\n')[0] ?? '';
    const model = models.get(name);
    if (model === undefined) throw new Error(`No script for ${name}.`);
    return model;
  };
  const provider: LlmProvider = {
    name: 'openai',
    connect: () => ({
      call: (request) => modelOf(request.messages[0]?.content).call(request),
      async *stream(request) {
        for await (const part of modelOf(request.messages[0]?.content).stream(request)) if (part.type !== 'retry') yield part;
      },
    }),
  };
  const project = openProject(folder, { providers: [provider], ...(tools && { tools }) });
  const log = join(folder, 'calls.txt');
  return {
    folder,
    project,
    called: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    async run(name, { payload = {}, ...options } = {}) {
      const isTeam = existsSync(join(folder, `config/orchestrations/${name}.json`));
      const events: AsyncIterable<AgentEvent> = isTeam
        ? project.orchestrate({ ...options, name, input: payload as JsonObject })
        : project.run({ ...options, agent_name: name, payload: payload as JsonObject });
      const read: AgentEvent[] = [];
      for await (const event of events) read.push(event);
      const last = read.at(-1);
      if (!last?.final) throw new Error('The run ended without a final event.');
      return { events: read, result: last.result };
    },
  };
}
