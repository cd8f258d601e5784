import { definedServersAt } from './facts.js';
import type { OtherTool } from './types.js';

/** Zed's settings of a project, with its MCP servers. */
export const zed: OtherTool = {
  id: 'zed',
  folders: ['.zed'],
  files: [
    {
      place: '.zed/settings.json',
      isOwn: ({ facts }) => (facts.servers ?? []).length > 0,
      // An extension may define a server that has only settings here.
      facts: (source) => ({ servers: definedServersAt(source, '/context_servers') }),
    },
  ],
};
