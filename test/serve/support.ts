import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished } from 'vitest';
import { cleanEnvironment, cliFile, start, toneAgent, toneProject } from '../cli/command.js';
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

/** A client of the built command over stdio. What the command says is in `stderr`. */
export async function stdioClient(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliFile, 'serve', '--mcp', ...args],
    cwd,
    env: cleanEnvironment({ NO_PROXY: '*', ...env }),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, stderr: () => stderr };
}

export interface Started {
  readonly child: ReturnType<typeof start>;
  readonly urls: { readonly mcp?: string; readonly openai?: string };
  stderr(): string;
  stdout(): string;
}

/** The built command over HTTP, on a port that is free, once it can be called. */
export async function startServer(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const child = start(['serve', ...args, '--json', ...(args.includes('--port') ? [] : ['--port', '0'])], {
    cwd,
    env: { AGENTSTACK_TOKEN: token, NO_PROXY: '*', ...env },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
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
  return { child, urls: JSON.parse(stdout).urls, stderr: () => stderr, stdout: () => stdout };
}

export async function httpClient(url: string, bearer = token) {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${bearer}` } } });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return { client, transport };
}
