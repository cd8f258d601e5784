import { serversAt } from './facts.js';
import type { OtherTool } from './types.js';

/** VS Code's own list of MCP servers. */
export const vscode: OtherTool = {
  id: 'vscode',
  files: [{ place: '.vscode/mcp.json', facts: (source) => ({ servers: serversAt(source, '/servers') }) }],
  mcp: {
    kind: 'vscodeMcp',
    path: '.vscode/mcp.json',
    key: 'servers',
    reader: 'VS Code',
    variables: 'prefixed',
    forms: '${env:NAME}, ${input:id}, ${workspaceFolder} and other predefined variables',
    variable: (name) => `\${env:${name}}`,
    secret: '${input:name}',
    folders: { workspaceFolder: 'the project folder', userHome: 'the home folder' },
    hasComments: true,
  },
};
