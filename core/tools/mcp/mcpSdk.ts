import { Client, type StandardSchemaV1 } from '@modelcontextprotocol/client';

/** The used parts of the MCP SDK, a separate bundle in the commands and the extension. */
export { ProtocolError, SdkError, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Any result, unchanged: the SDK would refuse content of a kind that it does not know, and leave out fields. */
export const anyResult: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'agent-stack', validate: (value) => ({ value }) },
};

/** The SDK's client, whose `callTool` passes results on unchanged: they are checked here. */
export class McpClient extends Client {
  override request: Client['request'] = ((request: never, ...rest: readonly never[]) => {
    const { method } = request as { method: string };
    const send = super.request.bind(this) as (...args: readonly unknown[]) => Promise<never>;
    return method === 'tools/call' && rest.length < 2 ? send(request, anyResult, ...rest) : send(request, ...rest);
  }) as Client['request'];
}
