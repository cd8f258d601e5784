/** The used parts of the MCP SDK for serving, in one bundle with those for clients. */
export { createMcpHandler, Server } from '@modelcontextprotocol/server';
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
export * from '../../tools/mcp/mcpSdk.js';
