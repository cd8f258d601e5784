import { InputInvalidError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { AgentPrompt } from '../prompt/agentPrompt.js';
import { issueSentence } from '../prompt/issueSentence.js';

/** @throws InputInvalidError with every issue of the payload. */
export function checkPayload(prompt: AgentPrompt, payload: unknown): asserts payload is JsonObject {
  const issues = prompt.checkPayload(payload);
  if (issues.length === 0) return;
  const list = issues.map((issue) => issueSentence(issue, 'The input')).join(' ');
  throw new InputInvalidError(`The input of ${prompt.agent_name}@${prompt.version} is not valid: ${list}`, issues);
}
