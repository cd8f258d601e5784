import type { Inventory, ToolFile } from '../otherTools/toolFiles.js';
import { plural } from '../words.js';

/** The counts, in the order of the words. */
interface InventoryCounts {
  readonly servers: number;
  readonly server_lists: number;
  /** By what they are called, one and several. */
  readonly agents: readonly { readonly words: readonly [string, string]; readonly count: number }[];
  readonly permissions: number;
  /** Files that cannot be read. */
  readonly unreadable: number;
}

function countInventory({ files }: Pick<Inventory, 'files'>): InventoryCounts {
  const sum = (count: (file: ToolFile) => number) => files.reduce((total, file) => total + count(file), 0);
  const words = new Map(files.flatMap(({ kind }) => (kind.words === undefined ? [] : [[kind.words[1], kind.words] as const])));
  return {
    servers: sum(({ facts }) => facts.servers?.length ?? 0),
    server_lists: sum(({ facts }) => Number((facts.servers?.length ?? 0) > 0)),
    agents: [...words.values()].map((of) => ({
      words: of,
      count: sum(({ kind, facts, source }) => (kind.words?.[1] === of[1] && source !== undefined ? (facts.agents?.length ?? 1) : 0)),
    })),
    permissions: sum(({ facts }) => facts.permissions?.length ?? 0),
    unreadable: sum(({ source }) => Number(source === undefined)),
  };
}

/** `7 MCP servers in 3 lists`, `12 Claude Code agents`, `41 permission rules`; empty where there is nothing. */
export function inventoryParts(inventory: Inventory): readonly string[] {
  const { servers, server_lists, agents, permissions, unreadable } = countInventory(inventory);
  return [
    ...(servers > 0 ? [`${plural(servers, 'MCP server')} in ${plural(server_lists, 'list')}`] : []),
    ...agents.filter(({ count }) => count > 0).map(({ words: [one, several], count }) => `${count} ${count === 1 ? one : several}`),
    ...(permissions > 0 ? [plural(permissions, 'permission rule')] : []),
    ...(unreadable > 0 ? [`${plural(unreadable, 'file')} that cannot be read`] : []),
  ];
}
