import { inventoryParts } from '../../core/inventory/inventoryWords.js';
import type { Inventory } from '../../core/otherTools/toolFiles.js';
import type { Terminal } from '../terminal/terminal.js';

/** `Other tools: 7 MCP servers in 3 lists, 12 Claude Code agents`, over as many lines as the terminal needs; empty where there is nothing. */
export function inventoryLines(inventory: Inventory, { out, columns }: Pick<Terminal, 'out' | 'columns'>): string {
  const parts = inventoryParts(inventory);
  if (parts.length === 0) return '';
  const lines = [''];
  let room = columns - 'Other tools: '.length;
  for (const [index, part] of parts.entries()) {
    const text = index === parts.length - 1 ? part : `${part}, `;
    if (text.trimEnd().length > room) {
      lines.push('  ');
      room = columns - 2;
    }
    lines[lines.length - 1] += text;
    room -= text.length;
  }
  return [`${out.bold('Other tools:')} ${lines[0]}`, ...lines.slice(1)].map((line) => line.trimEnd()).join('\n');
}
