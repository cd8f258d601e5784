import { builtInTools } from '../../config/builtInTools.js';
import type { JsonObject } from '../../json.js';
import type { McpResources, Tool, ToolContext, ToolOutcome } from '../types.js';
import { calculator } from './calculator.js';
import { currentTime } from './currentTime.js';
import { fetchDocument } from './fetchDocument.js';
import type { FilePorts } from './projectFiles.js';
import { readFile } from './readFile.js';
import { searchFiles } from './searchFiles.js';
import { searchMetadata } from './searchMetadata.js';
import { getPrompt, listResources, readResource } from './serverContent.js';

/** The ports of built-in tools. */
export interface BuiltInPorts extends FilePorts {
  /** Those of the run's MCP servers; absent without servers. */
  readonly resources?: McpResources | undefined;
}

type Call = (ports: BuiltInPorts, input: JsonObject, context: ToolContext) => Promise<ToolOutcome>;

/** The function of each tool in `core/config/builtInTools.ts`. */
const calls: { readonly [name: string]: Call } = {
  search_files: searchFiles,
  search_metadata: searchMetadata,
  fetch_document: fetchDocument,
  read_file: readFile,
  calculator: (_ports, input) => calculator(input),
  current_time: currentTime,
  list_resources: ({ resources }, input, context) => listResources(resources, input, context),
  read_resource: ({ resources }, input, context) => readResource(resources, input, context),
  get_prompt: ({ resources }, input, context) => getPrompt(resources, input, context),
};

/** All built-in tools, for one run. Only those that contact a server need approval: the others read at most the project. */
export function createBuiltInTools(ports: BuiltInPorts): readonly Tool[] {
  return builtInTools.map((definition) => {
    const call = calls[definition.name];
    if (call === undefined) throw new Error(`${definition.name} has no line in core/tools/builtIn/index.ts`);
    return {
      ...definition,
      origin: { type: 'built-in' },
      call: (input, context) => call(ports, input, context),
    };
  });
}
