import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import { openProject, type Project } from '../../core/node/openProject.js';
import { defineTool } from '../../core/tools/registry.js';
import { temporaryProject } from '../cli/command.js';
import { type LoopbackReply, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { comparable, copyOfCrash, readAll } from './durableProject.js';

// No secret is in anything that a run tells or keeps, whoever brought it up: the model, a tool, or the caller.

/** Shaped like nothing: only whoever has used it knows that it is one. */
const sentKey = 'correct-horse-battery-staple';
// Written in halves, so that no scanner takes this file for a leak.
const shaped = `sk-${'proj-q8Wk2Zt7Lm4Vx9Bn3Rc6Yd1Hf5Jp0Sg'}`;
const named = 'q8Wk2Zt7Lm4Vx9Bn3Rc6';

const says = `The key is ${sentKey}, and another one ${shaped}. Keep them.`;
const answer = JSON.stringify({ words: says });
const covered = says.replace(sentKey, '*'.repeat(sentKey.length)).replace(shaped, '*'.repeat(shaped.length));

const output_schema = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'], additionalProperties: false };
const common = { version: 'v1', llm_config_id: 'gateway' };
const parameters = { type: 'object', properties: { of: { type: 'string' } }, additionalProperties: false } as const;

const ways = {
  'a single answer': (project: Project) => project.run({ agent_name: 'Writer', payload: { title: shaped } }),
  'a single answer at once': (project: Project) => project.run({ agent_name: 'Writer', payload: { title: shaped }, delivery: 'call' }),
  'a loop': (project: Project) => project.run({ agent_name: 'Looker', payload: { title: shaped }, delivery: 'call' }),
  'a loop kept step by step': (project: Project) =>
    project.run({ agent_name: 'Looker', payload: { title: shaped }, durable: true, delivery: 'call' }),
  'an orchestration': (project: Project) => project.orchestrate({ name: 'both', input: { title: shaped }, delivery: 'call' }),
  'an orchestration that streams': (project: Project) => project.orchestrate({ name: 'both', input: { title: shaped } }),
};

async function secretProject(): Promise<{ readonly folder: string; readonly project: Project }> {
  let index = 0;
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
    'config/orchestrations/both.json': {
      name: 'both',
      entry_team: 'all',
      teams: {
        all: {
          name: 'All',
          tasks: [
            { name: 'write', agent: 'Writer@v1' },
            { name: 'look', agent: 'Looker@v1' },
          ],
          routing: {
            rules: [
              {
                condition: { task: 'write', status: 'success' },
                next_team: 'again',
                context_updates: { said: '{{tasks.write.output.words}}' },
              },
            ],
          },
        },
        again: { name: 'Again', tasks: [{ name: 'write', agent: 'Writer@v1' }], routing: { default: null } },
      },
    },
  });
  return { folder, project: openAt(folder) };
}

function openAt(folder: string): Project {
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    parameters,
    idempotent: true,
    side_effects: false,
    call: async () => ({ found: `${sentKey} and ${shaped}`, access_token: named }),
  });
  return openProject(folder, { ports: { secrets: { get: (name) => (name === 'gateway' ? sentKey : undefined) } }, tools: [look] });
}

function expectNone(text: string): void {
  for (const secret of [sentKey, shaped, named]) expect(text).not.toContain(secret);
}

/** All bytes that are kept. */
function keptIn(folder: string): string {
  const kept = join(folder, '.agentstack');
  const files = readdirSync(kept, { recursive: true, encoding: 'utf8' }).map((name) => join(kept, name));
  return files
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

const streamed = (events: readonly AgentEvent[]) => events.flatMap((event) => (event.type === 'chunk' ? [event.text] : [])).join('');

describe.each(Object.entries(ways))('of %s', (_, run) => {
  test('no secret is told or kept', async () => {
    const { folder, project } = await secretProject();
    const { events, result } = await readAll(run(project));
    expect(result.error).toBe(null);
    expectNone(JSON.stringify(events));
    expectNone(streamed(events));
    expectNone(keptIn(folder));
    expect(JSON.stringify(result.output)).toContain(covered);
    // Of a key that a stream cuts, what shows its kind may have been told before anybody could know.
    expect(streamed(events).replace(/\b(?:sk?|sk-)(?=\*{8})/g, (start) => '*'.repeat(start.length))).toContain(covered);
  });
});

test('a run goes on from every point of its way to what it would have come to, though secrets were covered', async () => {
  const whole = await secretProject();
  const copies: string[] = [];
  let final: unknown;
  for await (const event of whole.project.orchestrate({ name: 'both', input: { title: shaped }, delivery: 'call' })) {
    if (event.final) final = comparable(event.result);
    else if (event.type !== 'chunk') copies.push(copyOfCrash(whole.folder));
  }
  expect(copies.length).toBeGreaterThan(8);
  for (const folder of copies) {
    const [run_id = ''] = readdirSync(join(folder, '.agentstack/runs'));
    const { events, result } = await readAll(openAt(folder).resume(run_id, { delivery: 'call' }));
    expect(comparable(result)).toEqual(final);
    expectNone(JSON.stringify(events));
    expectNone(keptIn(folder));
  }
});
