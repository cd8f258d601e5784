import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../../../core/json.js';

/** What a caller has decided already. The user chooses the rest. */
export interface RunArgument {
  /** An agent file, or a payload file of an agent, which is then the input. */
  readonly uri?: vscode.Uri;
  /** The input itself; nothing more is asked. With `case` it is the content of that payload file. */
  readonly payload?: JsonObject;
  /** The name of a payload file of the agent; nothing more is asked. */
  readonly case?: string;
  /** An llm profile that overrides the agent's. */
  readonly llm?: string;
}

/** The argument of the command from any caller; without one, the active editor's file. */
export function readRunArgument(argument: unknown): RunArgument {
  if (argument instanceof vscode.Uri) return { uri: argument };
  if (typeof argument === 'object' && argument !== null && 'uri' in argument && argument.uri instanceof vscode.Uri) {
    const { uri } = argument;
    const { payload, llm, case: name } = argument as { readonly payload?: unknown; readonly llm?: unknown; readonly case?: unknown };
    return {
      uri,
      ...(isObject(payload) && { payload }),
      ...(typeof name === 'string' && { case: name }),
      ...(typeof llm === 'string' && { llm }),
    };
  }
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri === undefined ? {} : { uri };
}

/** Entries of the view Agents that can run. */
const kinds: readonly unknown[] = ['agent', 'agentVersion', 'payload', 'orchestration', 'orchestrationPayload'];

export function canRun(entry: unknown): boolean {
  return isObject(entry) && kinds.includes(entry.kind);
}

/** What a command of the view Agents is called for: all selected entries that can run, each file once; else the one argument. */
export function readRunArguments(argument: unknown, selection: unknown): readonly RunArgument[] {
  const entries = Array.isArray(selection) ? selection.filter(canRun) : [];
  const files = new Map(entries.map(readRunArgument).map((runArgument) => [runArgument.uri?.toString(), runArgument]));
  return files.size > 1 ? [...files.values()] : [readRunArgument(argument)];
}
