import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { createModelTable } from '../../core/llm/modelTable.js';
import { createConfigChanges } from '../../core/node/projectAdapters.js';
import { serveAcp } from '../../core/node/serve/acp.js';
import { createToken, shortestToken } from '../../core/node/serve/http/checkCaller.js';
import { ListenError, startHttp } from '../../core/node/serve/http/startHttp.js';
import { createMcpRoute, mcpPath, serveStdio } from '../../core/node/serve/mcp.js';
import { createOpenaiRoute, openaiPath } from '../../core/node/serve/openaiRoute.js';
import { ProjectCatalog } from '../../core/project/catalog.js';
import { createRunExposed } from '../../core/project/runExposed.js';
import type { AcpServed } from '../../core/serve/acp/createAcpAgent.js';
import { refusalWords } from '../../core/serve/describe.js';
import type { Exposed } from '../../core/serve/exposed.js';
import { trackRuns } from '../../core/serve/served.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { checkProfile, collect } from '../agentCall.js';
import { approveTools, readAllowedTools } from '../allowTools.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, example, exitCodes, type GlobalOptions, UsageError, type VerbSetup } from '../cli.js';
import { catchInterrupts } from '../interrupt.js';
import { openCliProject } from '../openCliProject.js';
import { allowToolsOption, environmentOption, parseUsd, unpricedOption } from '../optionValues.js';
import { locateProject } from '../project.js';

interface ServeOptions extends GlobalOptions {
  readonly mcp?: true;
  readonly openai?: true;
  readonly acp?: true;
  readonly port?: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly llm?: string;
  readonly environment?: string;
  /** USD. */
  readonly maxCost?: number;
  /** USD. */
  readonly maxTotalCost?: number;
  readonly allowUnpriced?: true;
  readonly allowTools?: string | true;
  /** False with `--no-keep`. */
  readonly keep?: boolean;
  /** False with `--no-prompts`. */
  readonly prompts?: boolean;
}

/** Where `--openai` is served by default: clients can keep their base URL. */
const usualPort = 4747;

export const serve: VerbSetup = (command, cli) => {
  command
    .option('--mcp', 'serve the Model Context Protocol: over stdin and stdout, or over HTTP with --port')
    .option('--openai', `serve chat completions in the form of OpenAI's API, over HTTP`)
    .option('--acp', 'serve the Agent Client Protocol over stdin and stdout: the agents answer in the chat of an editor')
    .option('--port <n>', `port for HTTP; 0 takes any that is free (default with --openai: ${usualPort})`, toPort)
    .option('--host <address>', 'address to listen on; others than this machine reach the server only if you change it', '127.0.0.1')
    .option('--allow-host <name>', 'host name under which the server may be reached, beside localhost and addresses; repeatable', collect)
    .option('--llm <id>', 'use this llm profile for all agents, instead of their own')
    .option(...environmentOption)
    .option('--max-cost <usd>', 'end each run before a model call that could take its cost above this', parseUsd)
    .option('--max-total-cost <usd>', 'start no model call that could take the cost of all runs together above this', parseUsd)
    .option(...unpricedOption)
    .option(...allowToolsOption('runs'))
    .option('--no-keep', 'do not keep runs in .agentstack/runs; sessions are saved all the same')
    .option('--no-prompts', 'do not offer the prompts of the project over MCP')
    .addHelpText('after', () =>
      example(cli, ['serve --mcp', 'serve --mcp --port 4747 --max-total-cost 5', 'serve --openai --llm openai', 'serve --acp']),
    )
    .addHelpText(
      'after',
      '\nServes the agents and orchestrations with "expose": true in their file. Changed files count from the next call on.\n' +
        'HTTP needs a token: that of AGENTSTACK_TOKEN, else a new one, printed once on stderr.\n' +
        'Ctrl+C or SIGTERM ends the runs under way and the server. Exit codes: 0 ended when asked to, 2 it could not start. See docs/serving.md.',
    )
    .action(async () => {
      const options = command.optsWithGlobals<ServeOptions>();
      const { mcp, openai, acp, port } = options;
      if (!mcp && !openai && !acp)
        throw new UsageError(
          'Say what to serve: --mcp for MCP clients, --openai for programs that speak to OpenAI, --acp for the chat of an editor.',
        );
      if (acp && (mcp || openai || port !== undefined))
        throw new UsageError('--acp takes stdin and stdout for one editor: start another command for --mcp, --openai or --port.');
      if (mcp && openai && port === undefined) throw new UsageError('Both at once need HTTP: add --port, e.g. --port 4747.');
      const isHttp = openai || port !== undefined;
      if (isHttp && options.json) cli.expectJson();
      const served = await prepare(cli, options);
      try {
        if (isHttp) await serveHttp(cli, served, { ...options, port: port ?? usualPort });
        else {
          noteExposed(cli, (await served.catalog.current()).exposed, 'over stdio');
          await (acp ? serveAcp : serveStdio)(served, cli);
        }
      } finally {
        served.release();
        await served.flush();
      }
      cli.exit(exitCodes.ok);
    });
};

interface Prepared extends AcpServed {
  /** Sends the telemetry that is held back. */
  flush(): Promise<void>;
  release(): void;
}

async function prepare(cli: Cli, options: ServeOptions): Promise<Prepared> {
  const { llm, environment, maxCost, maxTotalCost, allowUnpriced, allowTools, keep, prompts } = options;
  const { root } = locateProject(cli, options);
  const project = openCliProject(cli, root, options);
  const index = await project.index();
  checkEnvironment(index, environment);
  checkProfile(index, llm);
  const catalog = new ProjectCatalog({ project, changes: createConfigChanges(root), llm });
  const allowed = readAllowedTools(allowTools);
  const models = createModelTable(index.settings.models);
  const { run, settled } = trackRuns(
    createRunExposed({
      project,
      catalog,
      approve: approveTools(allowed),
      keep: keep === false ? 'none' : 'folder',
      max_cost: maxCost,
      max_total_cost: maxTotalCost,
      allow_unpriced: allowUnpriced,
    }),
  );
  const { signal, release } = catchInterrupts(cli.terminal);
  return {
    name: basename(root),
    root,
    files: project.ports.files,
    random: project.ports.random,
    allowed,
    windowOf: (model_name, provider) => models.find(model_name, provider ?? undefined)?.context_window,
    version: process.env.AGENT_STACK_VERSION ?? 'unknown',
    catalog,
    run,
    settled,
    prompts: prompts !== false,
    clock: project.ports.clock,
    logger: project.ports.logger,
    knownSecrets: cli.knownSecrets,
    signal,
    flush: () => project.flush(),
    release,
  };
}

async function serveHttp(cli: Cli, served: Prepared, options: ServeOptions & { readonly port: number }): Promise<void> {
  const { terminal } = cli;
  const { mcp, openai, host, port, allowHost = [], json } = options;
  const { token, isNew } = tokenOf(cli);
  const routes = [...(mcp ? [createMcpRoute(served)] : []), ...(openai ? [createOpenaiRoute(served)] : [])];
  const { exposed } = await served.catalog.current();
  const server = await startHttp(served, { host, port, token, allowHosts: allowHost, routes }).catch((error: unknown) => {
    throw error instanceof ListenError ? new UsageError(error.message) : error;
  });
  const urls = { ...(mcp && { mcp: `${server.origin}${mcpPath}` }), ...(openai && { openai: `${server.origin}${openaiPath}` }) };
  noteExposed(cli, exposed, `at ${Object.values(urls).join(' and ')}`);
  // Printed before it becomes known, since what is known is covered in all that follows.
  terminal.note(isNew ? `Access token, valid until the server ends: ${token}` : 'Access token: that of AGENTSTACK_TOKEN.');
  cli.knownSecrets.add(token);
  if (!isThisMachine(host))
    terminal.note(
      terminal.err.yellow(`Other machines can reach ${host}. The token crosses the network in plain text: put TLS in front of it.`),
    );
  if (json) {
    terminal.print(
      toSafeJson({ urls, exposed: exposed.map(({ tool_name, id, refusal }) => ({ tool_name, id, available: refusal === undefined })) }),
    );
    cli.hasPrintedJson();
  }
  try {
    await untilAborted(served.signal);
  } finally {
    await server.stop();
  }
}

/** @throws UsageError for a token that can be guessed */
function tokenOf({ env, knownSecrets }: Cli): { readonly token: string; readonly isNew: boolean } {
  const token = env.AGENTSTACK_TOKEN;
  if (token === undefined || token === '') return { token: createToken(), isNew: true };
  if (token.length < shortestToken || /[^\x21-\x7e]/.test(token))
    throw new UsageError(
      `AGENTSTACK_TOKEN must be at least ${shortestToken} characters of ASCII without spaces, so that it cannot be guessed. Unset it for a new one.`,
    );
  knownSecrets.add(token);
  return { token, isNew: false };
}

function noteExposed({ terminal }: Cli, exposed: readonly Exposed[], where: string): void {
  const usable = exposed.filter(({ refusal }) => refusal === undefined);
  const names = usable.map(({ tool_name }) => tool_name).join(', ');
  terminal.note(
    usable.length === 0
      ? terminal.err.yellow(`Serving ${where}, and nothing can be called yet: set "expose": true in an agent or orchestration.`)
      : `Serving ${plural(usable.length, 'agent')} ${where}: ${names}`,
  );
  for (const { id, refusal } of exposed)
    if (refusal !== undefined) terminal.note(terminal.err.yellow(`${id} is unavailable: ${visibleText(refusalWords(refusal))}`));
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function toPort(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535) throw new InvalidArgumentError('Expected a port from 0 to 65535.');
  return port;
}
