/**
 * The kinds of config file. Where each lives is in `paths.ts`; `settings` is agentstack.json itself, `lock` the pinned tools of MCP servers,
 * `rootMcp` and `vscodeMcp` the lists of MCP servers for other tools.
 */
export const kinds = [
  'settings',
  'agent',
  'llm',
  'persona',
  'prompt',
  'mcp',
  'lock',
  'rootMcp',
  'vscodeMcp',
  'orchestration',
  'system',
  'payload',
  'baseline',
] as const;

export type Kind = (typeof kinds)[number];

/** The characters of a name of an agent, version, profile, persona, prompt or environment, as in the schemas. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whether a name is a device on Windows, with any extension, which no file there can have. */
export function isDeviceName(name: string): boolean {
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name);
}

/** Whether a name has the right characters and can name a file on every system. */
export function isLegalName(name: string): boolean {
  return namePattern.test(name) && !isDeviceName(name);
}

/** The rule of `isLegalName`, for messages. */
export const nameWords =
  'letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit, and not the name of a Windows device (con, nul, com1)';
