import type { Json, JsonObject } from '../../json.js';
import { valueAt } from '../../json.js';
import { isLegalName } from '../../kinds.js';

/** Classes of models, by how they begin. */
const providers: readonly (readonly [string, string])[] = [
  ['azure', 'azure_openai'],
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['claude', 'anthropic'],
  ['gemini', 'gemini'],
  ['google', 'gemini'],
];

/** The fields of an agent that an entry of a pipeline map stands for. */
export function pipelineAgent(entry: Json | undefined): JsonObject {
  const model = valueAt(entry, '/models/required/chat_model');
  const prompt = valueAt(entry, '/prompts/required/agent_prompt');
  return { agent_type: 'react', ...(typeof model === 'string' && modelOf(model)), ...(typeof prompt === 'string' && promptOf(prompt)) };
}

function modelOf(model: string): JsonObject {
  const provider = /LLM$/.test(model) ? providers.find(([begin]) => model.toLowerCase().startsWith(begin))?.[1] : undefined;
  return provider === undefined ? { model_name: model } : { provider };
}

/** A file of a prompt is named in the prompt store; anything else is the text itself. */
function promptOf(prompt: string): JsonObject {
  const name = /(?:^|[/\\])([^/\\]+)\.(?:prompt|txt|md)$/.exec(prompt)?.[1];
  return name !== undefined && isLegalName(name) ? { prompts: { system_prompt: `${name}@v1` } } : { system_text: prompt };
}
