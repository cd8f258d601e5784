import { LlmError } from '../../../errors.js';
import type { JsonObject } from '../../../json.js';

/** The APIs of OpenAI, by their names in `options.api`. */
const apis = ['chat_completions', 'responses'] as const;
export type OpenaiApi = (typeof apis)[number];

/** `options.api`, which is ours and not sent, and the other options. @throws LlmError `bad-request` for an unknown API */
export function chosenApi({ api = 'chat_completions', ...options }: JsonObject = {}): {
  readonly api: OpenaiApi;
  readonly options: JsonObject;
} {
  const knownApi = apis.find((each) => each === api);
  if (knownApi !== undefined) return { api: knownApi, options };
  throw new LlmError('bad-request', `options.api is "chat_completions" (the default) or "responses", not ${JSON.stringify(api)}.`);
}
