/** What is used of the MCP SDK: in the commands and the extension a bundle of its own. */
// biome-ignore lint/style/noRestrictedImports: a part of the SDK, no face of ours.
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
// biome-ignore lint/style/noRestrictedImports: a part of the SDK, no face of ours.
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
