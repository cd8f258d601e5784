import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';

/** Scheme of prompts as text documents: `agent-stack-prompt:/A2@v1.txt?<uri of the agent file>`. */
export const promptScheme = 'agent-stack-prompt';

/** The document that shows the prompt of an agent file. */
export function promptUri(agent: vscode.Uri): vscode.Uri {
  const name = `${basename(dirname(agent.path))}@${basename(agent.path, '.json')}`;
  return vscode.Uri.from({ scheme: promptScheme, path: `/${name}.txt`, query: agent.toString() });
}

/** The agent file a prompt document shows. */
export function agentOf(document: vscode.Uri): vscode.Uri {
  return vscode.Uri.parse(document.query);
}

/** What a command was called on: a Uri, an item of the agents view, or something else. */
export function uriIn(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument.scheme === promptScheme ? agentOf(argument) : argument;
  if (typeof argument !== 'object' || argument === null || !('uri' in argument)) return undefined;
  return argument.uri instanceof vscode.Uri ? argument.uri : undefined;
}
