/** Servers that speak OpenAI's Chat Completions, with their addresses as their documentation has them. */
export const compatibleServers: ReadonlyMap<string, { readonly base_url: string; readonly api_key_env?: string }> = new Map([
  ['ollama', { base_url: 'http://localhost:11434/v1' }],
  ['openrouter', { base_url: 'https://openrouter.ai/api/v1', api_key_env: 'OPENROUTER_API_KEY' }],
  ['groq', { base_url: 'https://api.groq.com/openai/v1', api_key_env: 'GROQ_API_KEY' }],
  ['deepseek', { base_url: 'https://api.deepseek.com', api_key_env: 'DEEPSEEK_API_KEY' }],
  ['mistral', { base_url: 'https://api.mistral.ai/v1', api_key_env: 'MISTRAL_API_KEY' }],
  ['xai', { base_url: 'https://api.x.ai/v1', api_key_env: 'XAI_API_KEY' }],
]);
