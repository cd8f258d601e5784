import type { ResolvedAgent } from '../snapshot/types.js';

/** Whether an agent's runs start a server: one with pinned tools if the agent has any of them, others for what they may list. */
export function usesServer({ tools, unlisted, config }: Pick<ResolvedAgent, 'config' | 'tools' | 'unlisted'>, client_id: string): boolean {
  if (unlisted.includes(client_id)) return config.enabled_tools === undefined || config.enabled_tools.length > 0;
  return tools.some(({ origin }) => origin.type === 'mcp' && origin.client_id === client_id);
}
