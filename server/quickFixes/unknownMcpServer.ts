import { defineServerFix } from './createFile.js';
import type { QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textIn, textsIn } from './support.js';

/** Replaces a server that mcp.json does not define, defines it there, or removes it. */
export const unknownMcpServer: QuickFix = {
  code: 'unknown-mcp-server',
  fixes(finding, context) {
    const id = textIn(finding, 'id');
    if (id === undefined) return [];
    const define = defineServerFix(context.project, id);
    return [
      ...replaceFixes(context, finding.pointer, textsIn(finding, 'nearest')),
      ...(define === undefined ? [] : [define]),
      editFix(context, `Remove ${JSON.stringify(id)}`, (edit) => edit.remove(finding.pointer)),
    ];
  },
};
