import type { JsonObject } from '../json.js';
import type { LlmSettings, ResponseFormat } from '../llm/types.js';
import { findStrictViolations, type StrictViolation } from './strictSchema.js';

/** Longest name OpenAI takes. */
const nameLimit = 64;
/** If a name is too long, the agent's part is cut first, and then the version down to this length. */
const versionLimit = 31;

export interface ResponseFormatOptions {
  /** Of the format: `toFormatName`, or `plainFormatName`. */
  readonly name: string;
  readonly output_schema: JsonObject;
  readonly model_name?: string | undefined;
}

export interface PreparedResponseFormat {
  readonly format: ResponseFormat;
  /** Why `strict` is false; empty if it is true. */
  readonly strict_reasons: readonly StrictViolation[];
}

/** OpenAI's `json_schema` response format: `strict` if and only if the schema meets the strict subset for this model. */
export function createResponseFormat({ name, output_schema, model_name }: ResponseFormatOptions): PreparedResponseFormat {
  const strict_reasons = findStrictViolations(output_schema, { fineTuned: model_name?.startsWith('ft:') === true });
  const strict = strict_reasons.length === 0;
  const json_schema = Object.freeze({ name, schema: output_schema, strict });
  return { format: Object.freeze({ type: 'json_schema', json_schema }), strict_reasons };
}

/** Whether the provider accepts a response format; other providers get the schema as text. */
export function takesResponseFormat({ provider, options }: Partial<Pick<LlmSettings, 'provider' | 'options'>>): boolean {
  if (provider === 'vscode') return false;
  return !(provider === 'openai_compatible' && options?.response_format === 'none');
}

/** The same for every plain agent: another version of its file sends the same bytes. */
export const plainFormatName = 'output';

/** `{agent_name}_{version}` in the letters OpenAI allows, `[a-zA-Z0-9_-]{1,64}`. */
export function toFormatName(agentName: string, version: string): string {
  const agent = toLegal(agentName);
  const end = toLegal(version);
  const name = `${agent}_${end}`;
  if (name.length <= nameLimit) return name;
  const shortEnd = end.slice(0, Math.max(versionLimit, nameLimit - 1 - agent.length));
  return `${agent.slice(0, nameLimit - 1 - shortEnd.length)}_${shortEnd}`;
}

function toLegal(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_');
}
