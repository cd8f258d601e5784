/** What is used of the MCP SDK: in the commands and the extension a bundle of its own. */
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
