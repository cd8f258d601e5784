import { createLlmClient as createPlainClient } from './llmClient.js';
import type { LlmClient, LlmRequest } from './types.js';

/**
 * The client for programs: `call` and `stream` use temperature 0 unless the request sets another. Agents set their own temperature, or
 * leave it to the provider, so they use the plain client.
 */
export function createLlmClient(...options: Parameters<typeof createPlainClient>): LlmClient {
  const client = createPlainClient(...options);
  const filled = (request: LlmRequest): LlmRequest => ({ ...request, temperature: request.temperature ?? 0 });
  return { call: (request) => client.call(filled(request)), stream: (request) => client.stream(filled(request)) };
}
