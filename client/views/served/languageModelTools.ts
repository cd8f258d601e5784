import * as vscode from 'vscode';
import type { Services } from '../../services.js';
import type { View } from '../view.js';

/**
 * What VS Code has for tools since 1.95, as its API documents it. The oldest version this extension runs in does not have it, so it is looked for, and
 * has no types there.
 */
interface ToolApi {
  registerTool?(name: string, tool: LanguageModelTool): vscode.Disposable;
}

export interface LanguageModelTool {
  invoke(options: { readonly input: unknown }, token: vscode.CancellationToken): Promise<object>;
  prepareInvocation?(options: { readonly input: unknown }, token: vscode.CancellationToken): Promise<PreparedInvocation | undefined>;
}

export interface PreparedInvocation {
  readonly invocationMessage?: string;
  /** Asked of the user before the call. */
  readonly confirmationMessages?: { readonly title: string; readonly message: vscode.MarkdownString };
}

/** Lets chats of VS Code list and run what the projects of the workspace expose. Not before the workspace is trusted, and not before VS Code 1.95. */
export const languageModelTools: View = (services) => {
  const api = vscode.lm as unknown as ToolApi;
  if (api.registerTool === undefined) return new vscode.Disposable(() => undefined);
  const registered: vscode.Disposable[] = [];
  const register = () => {
    for (const name of ['listAgents', 'runAgent'] as const) {
      const tool = api.registerTool?.(`agentstack_${name}`, lazyTool(services, name));
      if (tool !== undefined) registered.push(tool);
    }
  };
  if (vscode.workspace.isTrusted) register();
  else registered.push(vscode.workspace.onDidGrantWorkspaceTrust(register));
  return new vscode.Disposable(() => {
    for (const registration of registered) registration.dispose();
  });
};

/** The engine is loaded with the first call. */
function lazyTool(services: Services, name: 'listAgents' | 'runAgent'): LanguageModelTool {
  const load = async () => (await import('./servedAgents.js')).servedAgents(services)[name];
  return {
    invoke: async (options, token) => (await load()).invoke(options, token),
    prepareInvocation: async (options, token) => (await load()).prepareInvocation?.(options, token),
  };
}
