import { AgentStackError, SecretMissingError, ToolExecutionError } from '../../errors.js';
import type { McpInput, McpServer } from '../../generated/types.js';
import type { MaybePromise, Ports } from '../../ports.js';
import { looksLikeSecret } from '../../secrets/secretPatterns.js';
import { secretVariable } from '../../secrets/secretVariable.js';
import { trimEnd } from '../../words.js';

/** The value of an `${input:id}`, from the user or looked up. @throws SecretMissingError with the place to store it */
export type ResolveInput = (input: McpInput, client_id: string) => MaybePromise<string>;

export interface ResolveOptions {
  readonly ports: Pick<Ports, 'environment' | 'secrets' | 'knownSecrets' | 'processes'>;
  /** The `inputs` of mcp.json. */
  readonly inputs: readonly McpInput[];
  readonly resolveInput: ResolveInput;
}

/** A server with every placeholder filled in. Kept in memory only, while it starts. */
export interface ResolvedServer {
  readonly target:
    | {
        readonly type: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        /** Project path. */
        readonly cwd: string;
      }
    | { readonly type: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** All filled-in values, which must not appear in a log or a message. */
  readonly values: readonly string[];
  /** The secrets among them, which are masked in the server's answers. */
  readonly secrets: readonly string[];
}

/**
 * Fills in `${env:X}`, `${X}`, `${X:-fallback}`, `${input:x}`, `${workspaceFolder}` and `secret://name`, each looked up once. Values
 * are not expanded again.
 *
 * @throws SecretMissingError naming a missing value and its place; ToolExecutionError for an unusable definition
 */
export async function resolveServer(client_id: string, definition: McpServer, options: ResolveOptions): Promise<ResolvedServer> {
  const filler = new Filler(client_id, options);
  const { command, args = [], env = {}, cwd, url, headers = {} } = definition;
  if (command === undefined) {
    const address = await filler.fill(url ?? '', 'url');
    if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
      throw filler.unusable('its url is not an address that begins with http:// or https://');
    }
    return filler.done({ type: 'http', url: address, headers: await filler.fillAll(headers, 'headers') });
  }
  const { processes } = options.ports;
  if (processes === undefined) throw filler.unusable('no program can be started here. Use a server with a url');
  const defined = await filler.fillAll(
    Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))),
    'env',
  );
  const inherited = Object.entries(processes.baseEnvironment).filter(([name]) => !Object.hasOwn(env, name) || env[name] !== null);
  const filled: string[] = [];
  for (const [index, arg] of args.entries()) filled.push(await filler.fill(arg, `args/${index}`));
  return filler.done({
    type: 'stdio',
    command: await filler.fill(command, 'command'),
    args: filled,
    env: Object.fromEntries([...inherited, ...Object.entries(defined)]),
    cwd: filler.projectPath(await filler.fill(cwd ?? '', 'cwd'), processes.folder),
  });
}

/** `${...}` and `secret://...`; names are checked when they are looked up. */
const placeholder = /\$\{([^{}]*)\}|secret:\/\/([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?)/g;

/** Fills in the texts of one server, and collects the values. */
class Filler {
  readonly #client_id: string;
  readonly #options: ResolveOptions;
  readonly #inputs = new Map<string, string>();
  readonly #values = new Set<string>();
  readonly #secrets = new Set<string>();
  /** The values in the last text. */
  #last: string[] = [];

  constructor(client_id: string, options: ResolveOptions) {
    this.#client_id = client_id;
    this.#options = options;
  }

  async fill(text: string, place: string): Promise<string> {
    let filled = '';
    let done = 0;
    this.#last = [];
    for (const match of text.matchAll(placeholder)) {
      const [whole, name, secret] = match;
      filled += text.slice(done, match.index);
      const value = secret === undefined ? await this.#placeholder(name ?? '', whole, place) : await this.#secret(secret, place);
      if (value !== whole) this.#last.push(value);
      filled += value;
      done = match.index + whole.length;
    }
    return filled + text.slice(done);
  }

  async fillAll(texts: Readonly<Record<string, string>>, place: string): Promise<Record<string, string>> {
    const entries: [string, string][] = [];
    for (const [name, text] of Object.entries(texts)) {
      const filled = await this.fill(text, `${place}/${name}`);
      // Headers are usually credentials; a variable is one if it looks like a secret.
      if (filled !== text && (place === 'headers' || looksLikeSecret(filled, name) !== undefined)) {
        for (const value of [filled, ...this.#last]) this.#keep(value, true);
      }
      entries.push([name, filled]);
    }
    return Object.fromEntries(entries);
  }

  done(target: ResolvedServer['target']): ResolvedServer {
    return { target, values: [...this.#values], secrets: [...this.#secrets] };
  }

  unusable(words: string): ToolExecutionError {
    return new ToolExecutionError(this.#client_id, `The MCP server "${this.#client_id}" cannot be started: ${words}.`);
  }

  /** A folder inside the project, relative to the project folder or absolute. */
  projectPath(cwd: string, folder: string): string {
    const slashed = (path: string) => trimEnd(path.replaceAll('\\', '/'), '/');
    const target = slashed(cwd);
    const root = slashed(folder);
    const inside = target === root ? '' : target.startsWith(`${root}/`) ? target.slice(root.length + 1) : target;
    const segments = inside.split('/').filter((segment) => segment !== '' && segment !== '.');
    if (/^(?:\/|[A-Za-z]:)/.test(inside) || segments.includes('..')) throw this.unusable('its cwd is not inside the project folder');
    return segments.join('/');
  }

  async #placeholder(name: string, whole: string, place: string): Promise<string> {
    if (name === 'workspaceFolder') {
      const folder = this.#options.ports.processes?.folder;
      if (folder === undefined) throw this.unusable(`${whole} in ${place} has no meaning here: there is no folder on a disk`);
      return folder;
    }
    if (name.startsWith('input:')) return this.#input(name.slice('input:'.length), whole, place);
    if (name.startsWith('env:')) return this.#variable(name.slice('env:'.length), whole, place);
    const plain = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(name);
    if (plain?.[1] !== undefined) return this.#variable(plain[1], whole, place, plain[2]);
    if (/^[A-Za-z]+:/.test(name)) {
      const supported = '${env:NAME}, ${input:id} and ${workspaceFolder}';
      throw this.unusable(`${whole} in ${place} is not supported; use ${supported}`);
    }
    return whole;
  }

  #variable(name: string, whole: string, place: string, fallback?: string): string {
    const value = this.#options.ports.environment.get(name);
    if (fallback !== undefined && (value === undefined || value === '')) return fallback;
    if (value === undefined) throw this.#missing(`${whole} in ${place}: the environment variable ${name} is not set`);
    this.#keep(value, looksLikeSecret(value, name) !== undefined);
    return value;
  }

  async #input(id: string, whole: string, place: string): Promise<string> {
    const resolved = this.#inputs.get(id);
    if (resolved !== undefined) return resolved;
    const input = this.#options.inputs.find((candidate) => candidate.id === id);
    if (input === undefined) throw this.unusable(`${whole} in ${place} names no input of mcp.json`);
    const value = await this.#options.resolveInput(input, this.#client_id);
    if (input.type === 'pickString' && !input.options?.includes(value)) {
      throw this.unusable(`the value of ${whole} is none of its options (${input.options?.join(', ')})`);
    }
    this.#inputs.set(id, value);
    this.#keep(value, input.password === true || looksLikeSecret(value, id) !== undefined);
    return value;
  }

  async #secret(name: string, place: string): Promise<string> {
    const value = await this.#options.ports.secrets.get(name);
    if (value === undefined || value === '') {
      const variable = secretVariable(name);
      throw this.#missing(
        `the secret "${name}" in ${place} is not stored. Store it in the editor, or for the command line set the environment variable ${variable}`,
      );
    }
    this.#keep(value, true);
    return value;
  }

  #keep(value: string, isSecret: boolean): void {
    this.#values.add(value);
    if (!isSecret) return;
    this.#secrets.add(value);
    this.#options.ports.knownSecrets?.add(value);
  }

  #missing(words: string): SecretMissingError {
    return new SecretMissingError(`The MCP server "${this.#client_id}" cannot be started: ${words}.`);
  }
}

/**
 * Inputs from the environment, for programs without a user: `${input:github-token}` is `INPUT_GITHUB_TOKEN` (upper case, every character other
 * than A-Z and 0-9 as `_`), else the input's default.
 */
export function createEnvironmentInputs({ environment }: Pick<Ports, 'environment'>): ResolveInput {
  return (input, client_id) => {
    const variable = `INPUT_${secretVariable(input.id)}`;
    const value = environment.get(variable) ?? input.default;
    if (value !== undefined) return value;
    const what = input.description === undefined ? '' : ` (${input.description})`;
    throw new SecretMissingError(
      `The MCP server "${client_id}" needs a value for \${input:${input.id}}${what}: set the environment variable ${variable}.`,
    );
  };
}

/**
 * Looks up all values of a server, so that its secrets are known before it starts. Missing and unusable values are skipped here: the start of the
 * server reports them.
 */
export async function learnServerSecrets(client_id: string, definition: McpServer, options: ResolveOptions): Promise<void> {
  const { command, args = [], cwd, url, env = {}, headers = {} } = definition;
  const filler = new Filler(client_id, options);
  for (const text of [command, url, cwd, ...args]) if (typeof text === 'string') await unlessUnusable(() => filler.fill(text, ''));
  for (const [place, texts] of Object.entries({ env, headers })) {
    for (const [name, text] of Object.entries(texts))
      if (typeof text === 'string') await unlessUnusable(() => filler.fillAll({ [name]: text }, place));
  }
}

async function unlessUnusable(look: () => Promise<unknown>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof AgentStackError)) throw error;
  }
}
