import type * as vscode from 'vscode';
import type { Logger } from '../../core/ports.js';

/** The core's log in the output channel, at the level the user chose there. */
export function createEditorLogger(log: vscode.LogOutputChannel): Logger {
  return {
    log(level, message, fields) {
      const text = fields === undefined ? message : `${message} ${JSON.stringify(fields)}`;
      log[level](text);
    },
  };
}
