import { createLlmClient as createPlainClient } from './llmClient.js';
import type { LlmClient, LlmRequest } from './types.js';

/**
 * The client for programs: `call` and `stream` have temperature 0 unless the request gives another. Agents bring a temperature of their own, or
 * leave it to the provider, so they use the plain client.
 */
export function createLlmClient(...options: Parameters<typeof createPlainClient>): LlmClient {
  const client = createPlainClient(...options);
  const filled = (request: LlmRequest): LlmRequest => ({ ...request, temperature: request.temperature ?? 0 });
  return { call: (request) => client.call(filled(request)), stream: (request) => client.stream(filled(request)) };
}
