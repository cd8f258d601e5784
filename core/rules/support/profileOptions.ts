/** Parameters of models that are no fields here: a profile hands them on as they are, in `options`. */
const parameters: ReadonlySet<string> = new Set([
  'candidate_count',
  'extra_headers',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'min_p',
  'mirostat',
  'n',
  'num_ctx',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning',
  'reasoning_effort',
  'repeat_penalty',
  'repetition_penalty',
  'safety_settings',
  'seed',
  'service_tier',
  'stop',
  'stop_sequences',
  'thinking',
  'top_k',
  'top_logprobs',
  'typical_p',
  'user',
  'verbosity',
]);

export function isModelParameter(key: string): boolean {
  return parameters.has(key.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase());
}
