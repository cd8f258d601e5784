import type { JsonObject } from '../../core/json.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import type { Clock, FileSystem } from '../../core/ports.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { createBuiltInTools } from '../../core/tools/builtIn/index.js';
import type { McpResources, ToolContext, ToolOutcome } from '../../core/tools/types.js';
import { memoryFiles } from '../support/memoryFiles.js';

export interface ToolProject {
  readonly files?: FileSystem;
  readonly clock?: Clock;
  readonly resources?: McpResources;
  readonly signal?: AbortSignal;
}

export function toolContext(signal: AbortSignal = new AbortController().signal): ToolContext {
  return {
    run_id: '0'.repeat(32),
    step: 1,
    run: { correlation_id: 'c', trace_id: 't', timestamp: '2026-01-01T00:00:00.000Z' },
    signal,
    logger: { log: () => undefined },
  };
}

/** Calls a built-in tool as the loop does: with an input that meets its parameters. */
export async function callTool(name: string, input: JsonObject, project: ToolProject = {}): Promise<ToolOutcome> {
  const { files = memoryFiles(), clock = createNodeClock(), resources, signal } = project;
  const tool = createBuiltInTools({ files, clock, resources }).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  const schema = (await loadSchemaCompiler()).compile(tool.parameters);
  if (!schema.ok) throw new Error(`The parameters of ${name} are no schema`);
  const issues = schema.check(input);
  if (issues.length > 0) throw new Error(`The input does not meet the parameters: ${JSON.stringify(issues)}`);
  return tool.call(input, toolContext(signal));
}
