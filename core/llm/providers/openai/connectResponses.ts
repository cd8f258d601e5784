import type { ProviderConnection } from '../../types.js';
import { connectVendor } from '../vendorConnection.js';
import type { ChatOptions } from './connectChat.js';
import { toCompletion } from './responsesAnswer.js';
import { refusedByResponses, toResponsesBody } from './responsesRequest.js';
import { readResponsesStream } from './responsesStream.js';
import { bearer, connectChatServer, type ResponsesBody } from './sdk.js';

/** Calls of a server that speaks OpenAI's Responses API. */
export function connectResponses({ dialect, options = {}, ...connection }: ChatOptions): ProviderConnection {
  const { baseUrl, ports } = connection;
  const address = connection.address ?? { baseUrlFor: () => baseUrl, keyHeader: bearer };
  return connectVendor<ResponsesBody>({
    ...connection,
    wire: {
      connect: async (key) => {
        const server = await connectChatServer({ address, key, fetch: ports.fetch });
        return { post: (body, { signal }) => server.postResponses(body, signal), readStream: readResponsesStream };
      },
      toBody: (request, delivery, refused) => toResponsesBody(request, delivery, { options, refused }),
      refusedParameter: (refusal, body) => refusedByResponses(refusal, body, dialect.isExact),
      toCompletion,
    },
  });
}
