import { LlmError } from '../../../errors.js';
import type { JsonObject } from '../../../json.js';

/** The APIs of OpenAI, by what `options.api` calls them. */
const apis = ['chat_completions', 'responses'] as const;
export type OpenaiApi = (typeof apis)[number];

/** `options.api`, which is ours and not sent, and the rest. @throws LlmError `bad-request` for an API there is not */
export function chosenApi({ api = 'chat_completions', ...options }: JsonObject = {}): {
  readonly api: OpenaiApi;
  readonly options: JsonObject;
} {
  const known = apis.find((each) => each === api);
  if (known !== undefined) return { api: known, options };
  throw new LlmError('bad-request', `options.api is "chat_completions" (the default) or "responses", not ${JSON.stringify(api)}.`);
}
