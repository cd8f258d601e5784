import type { ResolvedAgent } from '../snapshot/types.js';

/** Whether runs of an agent start a server: one whose tools are pinned for those that the agent has, any other for what it may list. */
export function usesServer({ tools, unlisted, config }: Pick<ResolvedAgent, 'config' | 'tools' | 'unlisted'>, client_id: string): boolean {
  if (unlisted.includes(client_id)) return config.enabled_tools === undefined || config.enabled_tools.length > 0;
  return tools.some(({ origin }) => origin.type === 'mcp' && origin.client_id === client_id);
}
