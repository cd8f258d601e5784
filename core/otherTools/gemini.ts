import { definedServersAt } from './facts.js';
import type { OtherTool } from './types.js';

/** The command line of Gemini, with its MCP servers, and the SDKs. */
export const gemini: OtherTool = {
  id: 'gemini',
  folders: ['.gemini'],
  files: [
    {
      place: '.gemini/settings.json',
      isOwn: ({ facts }) => (facts.servers ?? []).length > 0,
      // An extension may define a server, and the settings only a part of it.
      facts: (source) => ({ servers: definedServersAt(source, '/mcpServers') }),
    },
  ],
  names: { response_schema: 'output_schema', httpUrl: 'url' },
  groups: { generation_config: 'model_name', generationConfig: 'model_name' },
};
