import { pointerOf } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import type { QuickFix } from './quickFix.js';
import { editFix, textIn } from './support.js';

/** Splits a command line into the program and its arguments. */
export const mcpServerInvalid: QuickFix = {
  code: 'mcp-server-invalid',
  fixes(finding, context) {
    const { pointer, data } = finding;
    const command = textIn(finding, 'command');
    const args = data?.args;
    if (command === undefined || !Array.isArray(args)) return [];
    const list = `${parentPointer(pointer) ?? ''}${pointerOf('args')}`;
    return [editFix(context, 'Split it into command and args', (edit) => edit.replace(pointer, command).set(list, args), true)];
  },
};
