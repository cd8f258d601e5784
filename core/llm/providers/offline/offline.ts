import { isObject, type Json, type JsonObject } from '../../../json.js';
import { countRequestTokens, loadTokenCounter } from '../../countTokens.js';
import { messageText, messageWeight } from '../../messageText.js';
import { createToolIds } from '../../toolCalls.js';
import type {
  AssistantBlock,
  LlmRequest,
  Message,
  ProviderCompletion,
  ProviderConnection,
  ProviderPart,
  TokenUsage,
  ToolUseBlock,
} from '../../types.js';
import type { LlmProvider } from '../provider.js';
import type { Payload, Result } from './payload.js';

/**
 * Answers without a model, a key or a network: the answer is made from the schema and the words of the payload, always the same
 * for the same input, and marked as simulated. Where there are tools it calls one first, with an input made the same way, and answers
 * when it has the result. Meant for trying, demonstrating and testing; it understands nothing.
 * `options.delay_ms_per_chunk` slows a stream down (default 0). `max_tokens` and `stop` are ignored.
 */
export const offline: LlmProvider = {
  name: 'offline',
  connect: (settings, { clock }): ProviderConnection => {
    const delay = settings.options?.delay_ms_per_chunk;

    const call = async (request: LlmRequest): Promise<ProviderCompletion> => {
      request.signal?.throwIfAborted();
      const { text, use } = await answerTo(request);
      const blocks: readonly AssistantBlock[] | undefined = use && [{ type: 'text', text }, use];
      return {
        text,
        ...(blocks !== undefined && { blocks }),
        finish_reason: use === undefined ? 'stop' : 'tool_use',
        usage: await estimate(request, blocks ?? text),
        model: request.model,
        id: undefined,
        left_out: [],
        simulated: true,
      };
    };
    async function* stream(request: LlmRequest): AsyncGenerator<ProviderPart, void, undefined> {
      const completion = await call(request);
      for (const text of pieces(completion.text)) {
        if (typeof delay === 'number' && delay > 0) await clock.sleep(delay, request.signal);
        request.signal?.throwIfAborted();
        yield { type: 'text', text: text };
      }
      yield { type: 'completion', completion };
    }
    return { call, stream };
  },
};

interface Answer {
  readonly text: string;
  readonly use?: ToolUseBlock;
}

async function answerTo({ messages, response_format, tools = [] }: LlmRequest): Promise<Answer> {
  const { readPayload, resultsIn } = await import('./payload.js');
  const payload = readPayload(messages);
  const results = resultsIn(messages);
  const { chooseTool, textProtocolIn } = await import('./toolChoice.js');
  const protocol = tools.length > 0 ? undefined : textProtocolIn(systemText(messages));
  const choice = results.length > 0 ? undefined : chooseTool(protocol?.tools ?? tools, payload);
  if (choice !== undefined) {
    const thought = `This is simulated, no model was asked. The tool ${choice.name} comes first.`;
    if (protocol !== undefined) {
      return { text: `Thought: ${thought}\nAction: ${choice.name}\nAction Input: ${JSON.stringify(choice.input)}` };
    }
    return { text: thought, use: { type: 'tool_use', id: createToolIds(messages)(undefined), ...choice } };
  }
  const text = await finalAnswer(response_format?.json_schema.schema ?? schemaInPrompt(messages), payload, results);
  return { text: protocol === undefined ? text : `Thought: This is simulated, no model was asked.\nFinal Answer: ${text}` };
}

async function finalAnswer(schema: JsonObject | undefined, payload: Payload, results: readonly Result[]): Promise<string> {
  if (schema !== undefined) {
    const { makeAnswer } = await import('./makeAnswer.js');
    return JSON.stringify(makeAnswer(schema, payload));
  }
  const toolReplies = results.map(({ name, content }) => ` ${name ?? 'A tool'} said: ${content.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  return `This is a simulated answer. The input speaks of: ${payload.userTexts.join(' ').slice(0, 200)}${toolReplies.join('')}`;
}

/** The schema that prompt composition writes into the system message for providers without a response format. */
function schemaInPrompt(messages: readonly Message[]): JsonObject | undefined {
  const line = systemText(messages)
    .split('\n')
    .findLast((each) => each.startsWith('Output schema: '));
  if (line === undefined) return undefined;
  try {
    const schema = JSON.parse(line.slice('Output schema: '.length)) as Json;
    return isObject(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

function systemText(messages: readonly Message[]): string {
  const message = messages.find(({ role }) => role === 'system');
  return message === undefined ? '' : messageText(message);
}

/** A few characters at a time, as models stream, never splitting a character. */
function pieces(text: string): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / 12) }, (_, index) => characters.slice(index * 12, index * 12 + 12).join(''));
}

/** Counted like a prompt before a run. */
async function estimate(request: LlmRequest, answer: string | readonly AssistantBlock[]): Promise<TokenUsage> {
  const { model } = request;
  const counter = await loadTokenCounter([model]);
  const prompt_tokens = countRequestTokens(counter, request).tokens;
  const completion_tokens = counter.count(model, messageWeight({ role: 'assistant', content: answer })).tokens;
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, cached_tokens: 0 };
}
