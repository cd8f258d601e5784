import * as vscode from 'vscode';
import type { Json } from '../../core/json.js';
import { messageText, messageWeight } from '../../core/llm/messageText.js';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import { createToolIds, toToolInput } from '../../core/llm/toolCalls.js';
import type {
  AssistantBlock,
  LlmRequest,
  LlmSettings,
  ProviderCompletion,
  ProviderConnection,
  ProviderPart,
  TokenUsage,
} from '../../core/llm/types.js';
import { unlimitedModel } from '../../core/llm/unlimitedModel.js';
import { type AnswerPart, readParts, toChatMessage, toolOptions } from './languageModelParts.js';
import { chooseModel, noSuchModel, toModelError, toTurns } from './languageModels.js';

/**
 * The provider `vscode`: the language models that VS Code offers, by `model_name` (its id, family or name). VS Code asks for the user's consent
 * with the first request. Such models take no system role and no response format, and tell no usage: the SYSTEM text leads the first message, the
 * schema is in the prompt, and tokens are counted by the model's own counter, as an estimate. What `temperature`, `top_p` and
 * `max_output_tokens` are called differs from model to model, so they are left out and reported; `options` go along as they are.
 */
export const vscodeModels: LlmProvider = { name: 'vscode', connect };

function connect(settings: LlmSettings): ProviderConnection {
  async function* stream(request: LlmRequest): AsyncGenerator<ProviderPart, void, undefined> {
    request.signal?.throwIfAborted();
    if (request.isBudgetLimit) throw unlimitedModel(request.model);
    const cancelling = new vscode.CancellationTokenSource();
    const cancel = () => cancelling.cancel();
    request.signal?.addEventListener('abort', cancel, { once: true });
    try {
      const model = await findModel(request.model);
      const tools = request.tools ?? [];
      const response = await model.sendRequest(
        toTurns(request.messages).map(toChatMessage),
        {
          justification: vscode.l10n.t('To run an agent of this workspace.'),
          ...(settings.options !== undefined && { modelOptions: { ...settings.options } }),
          ...toolOptions(tools),
        },
        cancelling.token,
      );
      const answer = createAnswer(request);
      for await (const part of readParts(response)) {
        request.signal?.throwIfAborted();
        yield* answer.take(part);
      }
      request.signal?.throwIfAborted();
      const blocks = answer.blocks();
      const sent = [...request.messages.map(messageWeight), ...(tools.length > 0 ? [JSON.stringify(tools)] : [])];
      const usage = await countTokens(model, sent, messageWeight({ role: 'assistant', content: blocks }), cancelling.token);
      yield { type: 'completion', completion: toCompletion(request, model.id, blocks, usage) };
    } catch (error) {
      request.signal?.throwIfAborted();
      throw toModelError(error, request.model);
    } finally {
      request.signal?.removeEventListener('abort', cancel);
      // A consumer that stops iterating ends the request.
      cancelling.cancel();
      cancelling.dispose();
    }
  }

  return {
    stream,
    async call(request) {
      for await (const part of stream(request)) if (part.type === 'completion') return part.completion;
      throw new Error('The stream of a language model ended without its completion');
    },
  };
}

async function findModel(name: string): Promise<vscode.LanguageModelChat> {
  const models = await vscode.lm.selectChatModels({});
  const model = chooseModel(models, name);
  if (model === undefined) throw noSuchModel(models, name);
  return model;
}

/** Puts the parts of one answer together. */
function createAnswer({ messages }: LlmRequest) {
  const saidBlocks: AssistantBlock[] = [];
  const toolId = createToolIds(messages);

  const take = (part: AnswerPart): readonly ProviderPart[] => {
    if (part.type === 'call') {
      // A model of an extension may send anything; values that are not JSON are ignored here too.
      const input = JSON.parse(JSON.stringify(part.input ?? null)) as Json;
      saidBlocks.push({ type: 'tool_use', id: toolId(part.id), name: part.name, ...toToolInput(input) });
      return [];
    }
    const { type, text } = part;
    if (text === '') return [];
    const last = saidBlocks.at(-1);
    if (last?.type === type) saidBlocks[saidBlocks.length - 1] = { type, text: last.text + text };
    else saidBlocks.push({ type, text });
    return [type === 'text' ? { type: 'text', text: text } : { type, text }];
  };
  return { take, blocks: () => saidBlocks };
}

function toCompletion(
  request: LlmRequest,
  model: string,
  blocks: readonly AssistantBlock[],
  usage: TokenUsage | undefined,
): ProviderCompletion {
  const requestOptions = { temperature: request.temperature, top_p: request.top_p, max_output_tokens: request.max_tokens };
  return {
    text: messageText({ role: 'assistant', content: blocks }),
    ...(blocks.some(({ type }) => type !== 'text') && { blocks }),
    // The API does not report why an answer ended; a truncated one fails the schema.
    finish_reason: blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'stop',
    usage,
    isUsageEstimated: true,
    model,
    id: undefined,
    left_out: Object.entries(requestOptions).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    simulated: false,
  };
}

/** Undefined when the model does not count: an answer is not lost for that. */
async function countTokens(
  model: vscode.LanguageModelChat,
  prompts: readonly string[],
  answer: string,
  token: vscode.CancellationToken,
): Promise<TokenUsage | undefined> {
  try {
    const counts = await Promise.all([answer, ...prompts].map((text) => model.countTokens(text, token)));
    const [completion_tokens = 0, ...sent] = counts;
    const prompt_tokens = sent.reduce((sum, count) => sum + count, 0);
    return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, cached_tokens: 0 };
  } catch {
    // Counting is a separate request, and may fail in as many ways.
    return undefined;
  }
}
