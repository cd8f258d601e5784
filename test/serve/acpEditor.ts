import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  type InitializeRequest,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { outcomeOf, repository, start } from '../cli/command.js';
import type { LoopbackReply, LoopbackScript } from '../support/loopbackOpenAi.js';
import { askingProject, key } from './support.js';

export const talk = {
  agent_name: 'Talk',
  version: 'v1',
  expose: true,
  system_text: 'You talk.',
  llm_config_id: 'real',
  include_history: true,
};
const helper = { ...talk, agent_name: 'Helper', agent_type: 'react', client_ids: ['voice'], max_iterations: 3 };
const voice = {
  'config/mcp.json': {
    servers: {
      voice: {
        command: process.execPath,
        args: [join(repository, 'test/fixtures/mcp/server.mjs')],
        env: { TOOLS_FILE: '${workspaceFolder}/tools.json' },
      },
    },
  },
  'tools.json': [
    { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
  ],
};
const files = { 'config/agents/Talk/v1.json': talk, 'config/agents/Helper/v1.json': helper, ...voice };

/** A streamed answer that says something and calls a tool. */
export function calls(name: string, input: object): LoopbackReply {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
  const parts = [chunk({ role: 'assistant', content: 'I ask.' }, null), chunk({ tool_calls: [call] }, null), chunk({}, 'tool_calls')];
  return { body: `${parts.join('')}data: [DONE]\n\n`, headers: { 'content-type': 'text/event-stream' } };
}

export type Answer = (request: RequestPermissionRequest) => Promise<RequestPermissionResponse>;
export const choose =
  (optionId: string): Answer =>
  async () => ({ outcome: { outcome: 'selected', optionId } });

interface EditorOptions {
  readonly answer?: Answer;
  readonly args?: readonly string[];
  /** What it says of itself. */
  readonly hello?: Partial<InitializeRequest>;
}

/** The official client over the pipes of the built command. */
export async function editor(cwd: string, { answer, args = [], hello = {} }: EditorOptions = {}) {
  const child = start(['serve', '--acp', ...args], { cwd, env: { OPENAI_API_KEY: key, NO_PROXY: '*' } });
  const outcome = outcomeOf(child);
  const notifications: SessionNotification[] = [];
  const asked: RequestPermissionRequest[] = [];
  const app = client({ name: 'test' }).onNotification(methods.client.session.update, ({ params }) => void notifications.push(params));
  app.onRequest(methods.client.session.requestPermission, ({ params }) => {
    asked.push(params);
    return (answer ?? choose('reject'))(params);
  });
  const unexpected: string[] = [];
  for (const method of ['fs/read_text_file', 'fs/write_text_file', 'terminal/create'] as const)
    app.onRequest(method, () => {
      unexpected.push(method);
      throw new Error('not offered');
    });
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  const connection = app.connect(ndJsonStream(Writable.toWeb(child.stdin), input));
  onTestFinished(async () => {
    connection.close();
    child.stdin.destroy();
    await outcome;
  });
  const { agent } = connection;
  const initialized = await agent.request('initialize', { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {}, ...hello });
  const updates = (sessionId: string): SessionUpdate[] =>
    notifications.flatMap((each) => (each.sessionId === sessionId ? [each.update] : []));
  return {
    agent,
    child,
    outcome,
    asked,
    /** Requests for files and terminals of the editor. */
    unexpected,
    initialized,
    updates,
    begin: (mode?: string) => begin(mode),
    say: (sessionId: string, text: string) => agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    /** The text of the messages, with a bar between them. */
    text: (sessionId: string, kind: 'agent_message_chunk' | 'agent_thought_chunk' = 'agent_message_chunk') =>
      joined(updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === kind)),
  };

  async function begin(mode?: string): Promise<string> {
    const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
    if (mode !== undefined) await agent.request('session/set_mode', { sessionId, modeId: mode });
    return sessionId;
  }
}

function joined(updates: readonly SessionUpdate[]): string {
  let last: string | null | undefined;
  return updates
    .map((update) => {
      if (!('content' in update) || !('messageId' in update || update.sessionUpdate === 'agent_thought_chunk')) return '';
      const { content, messageId } = update as { content: { text: string }; messageId?: string };
      const bar = last !== undefined && messageId !== last ? '|' : '';
      last = messageId;
      return bar + content.text;
    })
    .join('');
}

export const project = async (script: LoopbackScript, more: object = {}) => askingProject(script, { ...files, ...more });
export const toolUpdates = (updates: readonly SessionUpdate[]) =>
  updates.flatMap((update) =>
    update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update' ? [`${update.sessionUpdate} ${update.status}`] : [],
  );
