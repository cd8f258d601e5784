import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import type { JsonObject } from '../../core/json.js';
import { type FileSubject, readSubjects } from '../../core/permits/readSubjects.js';
import { loadPatterns } from '../../core/routing/patterns.js';
import { frozenGraph } from '../../core/rules/facts/routingProofs.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { memoryFiles } from '../support/memoryFiles.js';

export const prover = { schemas: await loadSchemaCompiler(), patterns: await loadPatterns() };

/** Files by path under `config/`, without `.json`. */
export type PermitFiles = Readonly<Record<string, JsonObject>>;

/** A `react` agent that needs nothing but its tools. */
export function looping(agent_name: string, fields: JsonObject = {}): JsonObject {
  return {
    agent_name,
    version: 'v1',
    agent_type: 'react',
    system_text: 's',
    purpose_text: 'p',
    output_schema: { type: 'object' },
    ...fields,
  };
}

/** Servers with the labels of their tools; a tool without labels is unlabelled. */
export function servers(labels: Readonly<Record<string, Readonly<Record<string, JsonObject | null>>>>): PermitFiles {
  const parameters = { type: 'object' };
  const locked = Object.entries(labels).map(([id, tools]) => [
    id,
    {
      tools: Object.fromEntries(
        Object.entries(tools).map(([name, does]) => [
          name,
          { description: name, parameters, hash: '0'.repeat(64), ...(does && { labels: does }) },
        ]),
      ),
    },
  ]);
  return {
    mcp: { servers: Object.fromEntries(Object.keys(labels).map((id) => [id, { command: `run-${id}` }])) },
    'mcp.lock': { format: 1, servers: Object.fromEntries(locked) as JsonObject },
  };
}

export async function subjectsOf(files: PermitFiles): Promise<ReadonlyMap<string, FileSubject['subject']>> {
  const texts = Object.entries(files).map(([path, value]) => [`config/${path}.json`, JSON.stringify(value)]);
  const memory = memoryFiles(Object.fromEntries(texts));
  const index = await loadProjectIndex(memory);
  const { subjects } = await readSubjects({
    files: memory,
    index,
    variables: { get: () => undefined },
    graphOf: ({ frozen, agents }) => frozenGraph(frozen, agents, prover),
  });
  return new Map(
    subjects.map(({ subject }) => [subject.version === undefined ? subject.name : `${subject.name}@${subject.version}`, subject]),
  );
}
