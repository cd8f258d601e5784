import type { ProviderPart } from '../../types.js';
import type { VendorContext } from '../types.js';
import { readEventParts } from '../vendorBody.js';
import { createGeminiAnswer } from './geminiAnswer.js';

/**
 * Reads a streamed answer: texts and thoughts as they come, then the completion with everything. The format has no event for its end: it is
 * whole when the body has ended and a chunk has said why the model stopped.
 *
 * @throws LlmError, or the signal's reason
 */
export async function* readGeminiStream(response: Response, context: VendorContext): AsyncGenerator<ProviderPart, void, undefined> {
  const answer = createGeminiAnswer(context);
  yield* readEventParts(response, context, { take: answer.take, isOver: () => false });
  yield { type: 'completion', completion: answer.conclude('stream') };
}
