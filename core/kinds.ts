/** The kinds of config file. Where each lives is in `paths.ts`; `settings` is agentstack.json itself, `lock` what MCP servers listed. */
export const kinds = ['settings', 'agent', 'llm', 'persona', 'prompt', 'mcp', 'lock', 'orchestration', 'system', 'payload'] as const;

export type Kind = (typeof kinds)[number];

/** A legal name of an agent, version, profile, persona, prompt or environment. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
