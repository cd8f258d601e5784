import { isObject, type Json, type JsonObject } from '../../../json.js';
import { messageText, messageWeight } from '../../messageText.js';
import type { LlmRequest, Message, ProviderCompletion, ProviderConnection, ProviderPart } from '../../types.js';
import type { LlmProvider } from '../provider.js';

/**
 * Answers without a model, a key or a network: the answer is made from the schema and the words of the payload, the same
 * one every time, and says that it is simulated. It serves to try, to demonstrate and to test; it understands nothing.
 * `options.delay_ms_per_chunk` slows a stream down (default 0). `max_tokens` is not looked at.
 */
export const offline: LlmProvider = {
  name: 'offline',
  connect: (settings, { clock }): ProviderConnection => {
    const delay = settings.options?.delay_ms_per_chunk;

    const call = async (request: LlmRequest): Promise<ProviderCompletion> => {
      request.signal?.throwIfAborted();
      const text = await answerTo(request);
      return {
        text,
        finish_reason: 'stop',
        usage: estimate(request, text),
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
        yield { type: 'texts', texts: [text] };
      }
      yield { type: 'completion', completion };
    }
    return { call, stream };
  },
};

async function answerTo({ messages, response_format }: LlmRequest): Promise<string> {
  const schema = response_format?.json_schema.schema ?? schemaInPrompt(messages);
  const { readPayload } = await import('./payload.js');
  const payload = readPayload(messages);
  if (schema === undefined) return `This is a simulated answer. The input speaks of: ${payload.texts.join(' ').slice(0, 200)}`;
  const { makeAnswer } = await import('./makeAnswer.js');
  return JSON.stringify(makeAnswer(schema, payload));
}

/** The schema that prompt composition writes into the system message for providers without a response format. */
function schemaInPrompt(messages: readonly Message[]): JsonObject | undefined {
  const message = messages.find(({ role }) => role === 'system');
  const system = message === undefined ? '' : messageText(message);
  const line = system.split('\n').findLast((each) => each.startsWith('Output schema: '));
  if (line === undefined) return undefined;
  try {
    const schema = JSON.parse(line.slice('Output schema: '.length)) as Json;
    return isObject(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

/** A handful of characters at a time, as models stream, none of them cut. */
function pieces(text: string): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / 12) }, (_, index) => characters.slice(index * 12, index * 12 + 12).join(''));
}

/** Four characters to a token, the rule of thumb for English. */
function estimate({ messages }: LlmRequest, text: string) {
  const prompt_tokens = messages.reduce((sum, message) => sum + Math.ceil(messageWeight(message).length / 4) + 4, 0);
  const completion_tokens = Math.ceil(text.length / 4);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, cached_tokens: 0 };
}
