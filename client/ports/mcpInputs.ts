import * as vscode from 'vscode';
import { SecretMissingError } from '../../core/errors.js';
import type { McpInput } from '../../core/generated/types.js';
import type { ResolveInput } from '../../core/tools/mcp/resolveServer.js';
import type { ProjectFolder } from '../projects.js';
import type { Services } from '../services.js';

/**
 * The values of `${input:x}` of a project: the user is asked once, then they are in VS Code's secret storage. Beside it the names (never the
 * values) of
 * what is in there, which the storage does not list.
 */
export class McpInputs {
  readonly #extension: vscode.ExtensionContext;
  readonly #root: string;
  /** One question at a time: VS Code has one box. */
  #asking: Promise<unknown> = Promise.resolve();

  constructor({ extension }: Pick<Services, 'extension'>, { root }: Pick<ProjectFolder, 'root'>) {
    this.#extension = extension;
    this.#root = root;
  }

  /** What core asks while a server is started. @throws SecretMissingError when no value is entered */
  readonly resolve: ResolveInput = (input, client_id) => {
    const question = this.#asking.then(async () => (await this.find(input.id)) ?? this.#ask(input, client_id));
    this.#asking = question.catch(() => undefined);
    return question;
  };

  async find(id: string): Promise<string | undefined> {
    return this.#extension.secrets.get(this.#secretKey(id));
  }

  /** Ids of the values stored here, sorted. */
  stored(): readonly string[] {
    const ids: unknown = this.#extension.globalState.get(this.#namesKey);
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
  }

  async forget(id: string): Promise<void> {
    await this.#extension.secrets.delete(this.#secretKey(id));
    const remaining = this.stored().filter((storedId) => storedId !== id);
    await this.#extension.globalState.update(this.#namesKey, remaining.length === 0 ? undefined : remaining);
  }

  async #ask(input: McpInput, client_id: string): Promise<string> {
    const value = input.type === 'command' ? undefined : await askFor(input, client_id);
    if (value === undefined) {
      const words =
        input.type === 'command'
          ? vscode.l10n.t(
              'The MCP server {0} wants a command of the editor to give {1}. Agent Stack runs none: use promptString.',
              client_id,
              input.id,
            )
          : vscode.l10n.t('The MCP server {0} needs a value for {1}, and none was given.', client_id, input.id);
      throw new SecretMissingError(words);
    }
    await this.#extension.secrets.store(this.#secretKey(input.id), value);
    await this.#extension.globalState.update(this.#namesKey, [...new Set([...this.stored(), input.id])].sort());
    return value;
  }

  get #namesKey(): string {
    return `agentStack.mcpInputs:${this.#root}`;
  }

  #secretKey(id: string): string {
    return `agentStack.mcpInput:${this.#root}:${id}`;
  }
}

function askFor(
  { type, id, description, default: first, password, options = [] }: McpInput,
  client_id: string,
): Thenable<string | undefined> {
  const title = vscode.l10n.t('MCP Server {0}: {1}', client_id, id);
  const words = description ?? id;
  if (type === 'pickString') {
    // The default is what Enter takes.
    const sorted = first !== undefined && options.includes(first) ? [first, ...options.filter((option) => option !== first)] : options;
    return vscode.window.showQuickPick([...sorted], { title, placeHolder: words, ignoreFocusOut: true });
  }
  return vscode.window.showInputBox({
    title,
    prompt: `${words} ${vscode.l10n.t('(kept in the secret storage of VS Code, never in a file)')}`,
    password: password === true,
    ignoreFocusOut: true,
    ...(first !== undefined && password !== true && { value: first }),
  });
}
