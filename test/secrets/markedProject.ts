import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { defineTool } from '../../core/tools/registry.js';
import type { Tool } from '../../core/tools/types.js';
import { repository, temporaryProject } from '../cli/command.js';
import { type LoopbackReply, type LoopbackRequest, type LoopbackServer, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { modelKey, serverInput, serverToken, toldSecrets } from './marked.js';
import { writeAndLook } from './writeAndLook.js';

/** Where the secrets are, as a command is given them. */
export const markedEnvironment = { ODD_KEY: modelKey, NOTES_TOKEN: serverToken, INPUT_DOOR: serverInput };

const output_schema = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'], additionalProperties: false };
const parameters = { type: 'object', properties: { of: { type: 'string' } }, additionalProperties: false } as const;
const answer = JSON.stringify({ words: toldSecrets });

/** A tool of the program that knows the secrets, tells them, logs them and throws them. */
export const look: Tool = defineTool({
  name: 'look',
  description: 'Looks.',
  parameters,
  idempotent: true,
  side_effects: false,
  call: async ({ of }, { logger }) => {
    logger.log('debug', `looked for ${toldSecrets}`, { found: toldSecrets, error: new Error(toldSecrets) });
    if (of === 'nothing') throw new Error(`nothing for ${toldSecrets}`);
    return { found: toldSecrets, [modelKey]: 1, documents: [toldSecrets] };
  },
});

export interface MarkedProject {
  readonly folder: string;
  readonly server: LoopbackServer;
}

/** A project whose models and tools tell every secret that they were given, in all encodings. @param ownTools whether the program brings `look` */
export async function markedProject({ ownTools = true }: { readonly ownTools?: boolean } = {}): Promise<MarkedProject> {
  const server = await startLoopbackOpenAi(reply);
  onTestFinished(() => server.close());
  const agent = { version: 'v1', llm_config_id: 'odd', output_schema, include_history: true };
  const folder = temporaryProject({
    'agentstack.json': ownTools ? { skills: { look: { description: 'Looks.', parameters, idempotent: true, side_effects: false } } } : {},
    'config/mcp.json': {
      inputs: [{ id: 'door', type: 'promptString', description: 'The code of the door', password: true }],
      servers: {
        notes: {
          command: process.execPath,
          args: [join(repository, 'test/fixtures/mcp/server.mjs'), 'telltale', 'stderr'],
          env: { TOKEN: 'secret://notes_token', DOOR: `\${input:door}` },
        },
      },
    },
    'config/llms/odd.json': {
      llm_id: 'odd',
      provider: 'openai',
      model_name: 'm',
      base_url: server.url,
      api_key: 'secret://odd_key',
      retry_attempts: 1,
    },
    'config/agents/Writer/v1.json': { ...agent, agent_name: 'Writer', mode: 'Writer', system_text: 'You write.', purpose_text: 'Write.' },
    'config/agents/Looker/v1.json': {
      ...agent,
      agent_name: 'Looker',
      agent_type: 'react',
      system_text: 'You look.',
      client_ids: ['notes'],
      enabled_tools: [...(ownTools ? ['look'] : []), 'echo', 'env', 'result'],
    },
    'config/orchestrations/both.json': writeAndLook,
  });
  return { folder, server };
}

/** First the tools, where there are some; then the answer, cut in every way a stream may be. A model that is asked to fail quotes the key. */
function reply(request: LoopbackRequest, index: number): LoopbackReply {
  const { body } = request;
  const asked = JSON.stringify(body.messages);
  if (asked.includes('please fail')) return { status: 401, error: { message: `Incorrect API key provided: ${toldSecrets}` } };
  const names = (Array.isArray(body.tools) ? (body.tools as readonly { function: { name: string } }[]) : []).map(
    (tool) => tool.function.name,
  );
  if (names.length > 0 && !asked.includes('tool_call_id') && body.stream !== true) return callsOf(names);
  return { text: answer.match(new RegExp(`.{1,${(index % 5) + 2}}`, 'gsu')) ?? [], reasoning: toldSecrets };
}

const inputs: { readonly [name: string]: readonly JsonObject[] } = {
  look: [{ of: toldSecrets }, { of: 'nothing' }],
  echo: [{ text: toldSecrets }],
  env: [{ name: 'TOKEN' }, { name: 'DOOR' }],
  // Its fault is told with the token.
  result: [{ result: { content: 'no list' } }],
};

function callsOf(names: readonly string[]): LoopbackReply {
  const calls = names.flatMap((name) => (inputs[name] ?? []).map((input) => ({ name, arguments: JSON.stringify(input) })));
  const message = {
    role: 'assistant',
    content: `I look for ${toldSecrets}`,
    tool_calls: calls.map((call, index) => ({ id: `call_${index}`, type: 'function', function: call })),
  };
  return {
    body: JSON.stringify({
      id: `a ${modelKey}`,
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, finish_reason: 'tool_calls', message }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
    headers: { 'content-type': 'application/json' },
  };
}

/** All files of a project but its config, with their names. */
export function writtenIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !/^(?:config|agentstack\.json)/.test(name));
  return names
    .map((name) => (statSync(join(folder, name)).isFile() ? `${name}\n${readFileSync(join(folder, name), 'utf8')}` : name))
    .join('\n');
}
