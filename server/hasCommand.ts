import type { ClientCapabilities } from 'vscode-languageserver';
import { isObject } from '../core/json.js';

/** Whether a client has a command of ours: the protocol knows none, so one that has says so (`experimental.commands.commands`). */
export function hasCommand({ experimental }: ClientCapabilities, command: string): boolean {
  const said: unknown = experimental;
  const commands = isObject(said) && isObject(said.commands) ? said.commands.commands : undefined;
  return Array.isArray(commands) && commands.includes(command);
}
