import { PassThrough } from 'node:stream';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StdioServerTransport as ModernStdio } from '@modelcontextprotocol/server/stdio';
import { expect, onTestFinished } from 'vitest';
import { agentstackRunning, start, toneAgent, toneProject } from '../cli/command.js';
import { type LoopbackOptions, type LoopbackScript, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';

/** Of at least 16 characters, as AGENTSTACK_TOKEN must be. */
export const token = 'token-of-this-test-0123456789';
export const key = 'sk-test-0123456789abcdef';

/** A project that exposes Tone, its answers simulated, with other files beside it. */
export function exposedProject(files: Readonly<Record<string, unknown>> = {}): string {
  return toneProject({
    'config/agents/Tone/v1.json': { ...toneAgent, description: 'Says how a text sounds.', expose: true },
    'config/agents/Hidden/v1.json': { ...toneAgent, agent_name: 'Hidden' },
    ...files,
  });
}

/** The same where Tone asks a server on this machine. */
export async function askingProject(script: LoopbackScript, files: Readonly<Record<string, unknown>> = {}, options: LoopbackOptions = {}) {
  const model = await startLoopbackOpenAi(script, options);
  onTestFinished(() => model.close());
  const profile = {
    llm_id: 'real',
    provider: 'openai',
    model_name: 'gpt-4.1-mini',
    base_url: model.url,
    api_key: 'secret://openai_api_key',
  };
  const cwd = exposedProject({
    'config/llms/real.json': profile,
    'config/agents/Tone/v1.json': { ...toneAgent, expose: true, llm_config_id: 'real' },
    'config/agents/Talk/v1.json': {
      agent_name: 'Talk',
      version: 'v1',
      expose: true,
      system_text: 'You talk.',
      description: 'Talks.',
      llm_config_id: 'real',
    },
    ...files,
  });
  return { cwd, model };
}

/** A client of the newest revision. */
function modernClient(onToolsChanged: () => void = () => undefined) {
  const client = new ModernClient(
    { name: 'test', version: '2' },
    { versionNegotiation: { mode: 'auto' }, listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } } },
  );
  onTestFinished(() => client.close());
  return client;
}

export async function modernStdioClient(cwd: string, onToolsChanged?: () => void, env: Readonly<Record<string, string>> = {}) {
  const answers = new PassThrough();
  const { stdin, stderr, ended } = agentstackRunning(['serve', '--mcp'], { cwd, env: { NO_PROXY: '*', ...env } }, answers);
  const client = modernClient(onToolsChanged);
  onTestFinished(async () => {
    stdin.end();
    await ended;
  });
  await client.connect(new ModernStdio(answers, stdin));
  return { client, stderr };
}

export async function modernHttpClient(url: string, onToolsChanged?: () => void) {
  const client = modernClient(onToolsChanged);
  await client.connect(new ModernHttp(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
  return client;
}

/** A client of the command over stdio, of a revision before 2026-07-28, in this process. What the command says is in `stderr`. */
export async function stdioClient(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const answers = new PassThrough();
  const { stdin, stderr, ended } = agentstackRunning(['serve', '--mcp', ...args], { cwd, env: { NO_PROXY: '*', ...env } }, answers);
  const client = new Client({ name: 'test', version: '1' });
  // Both sides read and write lines alike.
  await client.connect(new StdioServerTransport(answers, stdin));
  onTestFinished(async () => {
    await client.close();
    stdin.end();
    await ended;
  });
  return { client, stderr };
}

const serveOverHttp = (args: readonly string[]) => ['serve', ...args, '--json', ...(args.includes('--port') ? [] : ['--port', '0'])];
const urlsOf = (stdout: string) => (JSON.parse(stdout) as { readonly urls: { readonly mcp?: string; readonly openai?: string } }).urls;

/** The command over HTTP in this process, on a port that is free, once it can be called. */
export async function startServer(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const command = agentstackRunning(serveOverHttp(args), { cwd, env: { AGENTSTACK_TOKEN: token, NO_PROXY: '*', ...env } });
  onTestFinished(async () => void (await command.leave()));
  let isOver = false;
  void command.ended.then(() => {
    isOver = true;
  });
  await expect.poll(() => isOver || command.stdout().endsWith('}\n'), { timeout: 20_000, interval: 5 }).toBe(true);
  if (isOver) throw new Error(command.stderr());
  return { urls: urlsOf(command.stdout()), stderr: command.stderr, stdout: command.stdout };
}

/** The built command over HTTP, as a process that signals end. */
export async function startServerProcess(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = start(serveOverHttp(args), { cwd, env: { AGENTSTACK_TOKEN: token, NO_PROXY: '*', ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  await expect.poll(() => stdout.endsWith('}\n') || child.exitCode !== null, { timeout: 20_000, interval: 20 }).toBe(true);
  if (child.exitCode !== null) throw new Error(stderr);
  return { child, urls: urlsOf(stdout) };
}

/** A client of a revision before 2026-07-28. */
export async function httpClient(url: string, bearer = token) {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${bearer}` } } });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return { client, transport };
}
