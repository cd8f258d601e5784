import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type OpenProjectOptions, openProject } from '../../core/node/openProject.js';
import type { Logger } from '../../core/ports.js';
import type { Project } from '../../core/project/types.js';
import { defineTool } from '../../core/tools/registry.js';
import { temporaryProject } from '../cli/command.js';
import { writeAndLook } from '../secrets/writeAndLook.js';
import { type LoopbackReply, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';

/** Has no shape of a secret: only its use shows that it is one. */
export const sentKey = 'correct-horse-battery-staple';
// Written in halves, so that no scanner takes this file for a leak.
export const shaped = `sk-${'proj-q8Wk2Zt7Lm4Vx9Bn3Rc6Yd1Hf5Jp0Sg'}`;
export const named = 'q8Wk2Zt7Lm4Vx9Bn3Rc6';

const says = `The key is ${sentKey}, and another one ${shaped}. Keep them.`;
const answer = JSON.stringify({ words: says });
export const covered = says.replace(sentKey, '*'.repeat(sentKey.length)).replace(shaped, '*'.repeat(shaped.length));

const output_schema = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'], additionalProperties: false };
const common = { version: 'v1', llm_config_id: 'gateway' };
const parameters = { type: 'object', properties: { of: { type: 'string' } }, additionalProperties: false } as const;

/** What one line of the log says. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface SecretProject {
  readonly folder: string;
  readonly project: Project;
  /** What the models were asked, as it was sent. */
  readonly asked: readonly string[];
}

/** A project whose models and tools tell the key that they were sent, and one that shows what it is. */
export async function secretProject(): Promise<SecretProject> {
  let index = 0;
  const asked: string[] = [];
  const looks: LoopbackReply = {
    body: JSON.stringify({
      id: 'a',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: `I look for ${sentKey} and ${shaped}`,
            tool_calls: [
              { id: 'c', type: 'function', function: { name: 'look', arguments: JSON.stringify({ of: `${sentKey} ${shaped}` }) } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
    headers: { 'content-type': 'application/json' },
  };
  const server = await startLoopbackOpenAi(({ headers, body }) => {
    expect(headers.authorization).toBe(`Bearer ${sentKey}`);
    index += 1;
    asked.push(JSON.stringify(body));
    const hasTools = Array.isArray(body.tools);
    const isTold = JSON.stringify(body.messages).includes('tool_call_id');
    if (hasTools && !isTold && body.stream !== true) return looks;
    // Cut in every way a stream may be.
    const size = (index % 4) + 3;
    return { text: answer.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [] };
  });
  onTestFinished(() => server.close());
  const folder = temporaryProject({
    'agentstack.json': { skills: { look: { description: 'Looks.', parameters, idempotent: true, side_effects: false } } },
    'config/llms/gateway.json': {
      llm_id: 'gateway',
      provider: 'openai',
      model_name: 'm',
      base_url: server.url,
      api_key: 'secret://gateway',
    },
    'config/agents/Writer/v1.json': {
      ...common,
      agent_name: 'Writer',
      mode: 'Writer',
      system_text: 'You write.',
      purpose_text: 'Write.',
      output_schema,
    },
    'config/agents/Looker/v1.json': {
      ...common,
      agent_name: 'Looker',
      agent_type: 'react',
      system_text: 'You look.',
      enabled_tools: ['look'],
      output_schema,
    },
    'config/orchestrations/both.json': writeAndLook,
  });
  return { folder, project: openAt(folder), asked };
}

/** @param log lines of the log are added here. `isLocked`: without the key of the models */
export function secretOptions({
  log = [],
  isLocked = false,
}: {
  readonly log?: LogLine[];
  readonly isLocked?: boolean;
} = {}): OpenProjectOptions {
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    parameters,
    idempotent: true,
    side_effects: false,
    call: async () => ({ found: `${sentKey} and ${shaped}`, access_token: named }),
  });
  const logger: Logger = { log: (level, message, fields = {}) => void log.push({ level, message, fields }) };
  return { ports: { logger, secrets: { get: (name) => (name === 'gateway' && !isLocked ? sentKey : undefined) } }, tools: [look] };
}

export function openAt(folder: string, log?: LogLine[]): Project {
  return openProject(folder, secretOptions(log && { log }));
}

export function expectNone(text: string): void {
  for (const secret of [sentKey, shaped, named]) expect(text).not.toContain(secret);
}

/** All bytes that are kept. */
export function keptIn(folder: string): string {
  const kept = join(folder, '.agentstack');
  const files = readdirSync(kept, { recursive: true, encoding: 'utf8' }).map((name) => join(kept, name));
  return files
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}
