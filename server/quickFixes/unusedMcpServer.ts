import type { QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue } from './support.js';

/** Removes a server that no agent uses. */
export const unusedMcpServer: QuickFix = {
  code: 'unused-mcp-server',
  fixes({ pointer }, context) {
    return [editFix(context, `Remove the server ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer))];
  },
};
