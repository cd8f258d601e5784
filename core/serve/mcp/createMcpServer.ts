import type {
  CallToolResult,
  GetPromptResult,
  ListPromptsResult,
  ListToolsResult,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { InputInvalidError } from '../../errors.js';
import { readTraceparent } from '../../runContext.js';
import { coverText } from '../../secrets/coverValue.js';
import { refusalWords } from '../describe.js';
import { type Exposed, findExposed, unknownWords } from '../exposed.js';
import { fillPrompt, listPrompts, unknownPrompt } from '../projectPrompts.js';
import type { CatalogState, Served } from '../served.js';
import { progressWords, runMeta, toolAnswer } from '../toolAnswer.js';

/** JSON-RPC's code for parameters that cannot be used. */
const invalidParams = -32602;

/**
 * The server of one client, or of one request over HTTP: exposed agents as tools, and the project's prompts. All share the runs' budget.
 *
 * @param requestSignal of its request, if that can break off by itself
 */
export async function createMcpServer(served: Served, requestSignal?: AbortSignal): Promise<Server> {
  const sdk = await import('./mcpServerSdk.js');
  const { catalog, knownSecrets } = served;
  const refuse = (message: string) => new sdk.ProtocolError(invalidParams, coverText(message, knownSecrets));
  const server = new sdk.Server(
    { name: 'agent-stack', title: `Agent Stack: ${served.name}`, version: served.version },
    {
      capabilities: { tools: { listChanged: true }, ...(served.prompts && { prompts: { listChanged: true } }) },
      instructions: `The agents of the project ${served.name}. Each call asks a language model, which may cost money and take a while.`,
    },
  );

  server.setRequestHandler('tools/list', async (): Promise<ListToolsResult> => toToolList(await catalog.current()));

  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }): Promise<CallToolResult> => {
    const state = await catalog.current();
    const exposed = findExposed(state.exposed, params.name);
    if (exposed === undefined) throw refuse(unknownWords(state.exposed, params.name));
    if (exposed.refusal !== undefined) return unavailable(exposed, served);
    const { traceparent } = mcpReq._meta ?? {};
    const signals = [mcpReq.signal, served.signal, requestSignal].filter((signal) => signal !== undefined);
    const sendProgress = progressSender(mcpReq);
    const result = await served.run({
      exposed,
      payload: params.arguments ?? {},
      signal: AbortSignal.any(signals),
      trace: typeof traceparent === 'string' ? readTraceparent(traceparent) : undefined,
      onEvent(event) {
        const words = sendProgress && progressWords(event);
        if (words !== undefined) sendProgress?.(words);
      },
    });
    return { ...toolAnswer(result) };
  });

  if (served.prompts) {
    server.setRequestHandler('prompts/list', async (): Promise<ListPromptsResult> => toPromptList(await catalog.current()));
    server.setRequestHandler('prompts/get', async ({ params }): Promise<GetPromptResult> => {
      const { index } = await catalog.current();
      try {
        const messages = fillPrompt(index, params.name, params.arguments ?? {});
        if (messages !== undefined) return { messages: [...messages] };
      } catch (error) {
        if (error instanceof InputInvalidError) throw refuse(error.message);
        throw error;
      }
      throw refuse(unknownPrompt(index, params.name));
    });
  }

  server.onerror = (error) => served.logger.log('warn', 'mcp message failed', { reason: error.message });
  return server;
}

function toToolList({ exposed }: CatalogState): ListToolsResult {
  return {
    tools: exposed.map(({ tool_name, id, description, input_schema, output_schema, calls_tools }) => ({
      name: tool_name,
      title: id,
      description,
      inputSchema: input_schema as ListToolsResult['tools'][number]['inputSchema'],
      ...(output_schema && { outputSchema: output_schema as ListToolsResult['tools'][number]['outputSchema'] }),
      // A call costs money, so hosts should ask even if it changes nothing.
      annotations: { title: id, readOnlyHint: false, destructiveHint: calls_tools, idempotentHint: false, openWorldHint: true },
    })),
  };
}

function toPromptList({ index }: CatalogState): ListPromptsResult {
  return { prompts: listPrompts(index).map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })) };
}

function unavailable({ id, refusal }: Exposed, { knownSecrets }: Served): CallToolResult {
  const words = refusal === undefined ? '' : refusalWords(refusal);
  const text = coverText(`${id} is unavailable until its config is corrected. ${words}`, knownSecrets);
  return {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { [runMeta]: { error: { code: refusal?.code ?? 'config-invalid', message: text } } },
  };
}

/** Undefined if the client did not request progress. Failures are ignored: the run of a disconnected client ends by its signal. */
function progressSender({ _meta, notify }: ServerContext['mcpReq']): ((message: string) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
  };
}

/** Calls `notify` when a change of the files changes a list. Returns what ends that. */
export function watchLists({ catalog, prompts, logger }: Served, notify: (list: keyof Lists) => unknown): () => void {
  let lists: Promise<Lists> = listsOf(catalog);
  lists.catch(() => undefined);
  return catalog.watch(() => {
    const before = lists;
    lists = listsOf(catalog);
    compare(before, lists).catch((error: unknown) => logger.log('warn', 'changed files could not be read', { reason: String(error) }));
  });

  async function compare(before: Promise<Lists>, after: Promise<Lists>): Promise<void> {
    const now = await after;
    const then = await before.catch((): Lists => ({ tools: '', prompts: '' }));
    if (now.tools !== then.tools) await notify('tools');
    if (prompts && now.prompts !== then.prompts) await notify('prompts');
  }
}

interface Lists {
  readonly tools: string;
  readonly prompts: string;
}

async function listsOf(catalog: Served['catalog']): Promise<Lists> {
  const state = await catalog.current();
  return { tools: JSON.stringify(toToolList(state)), prompts: JSON.stringify(toPromptList(state)) };
}
