/** The used parts of the MCP SDK, a separate bundle in the commands and the extension. */
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
