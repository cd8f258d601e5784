import { describe, expect, test } from 'vitest';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import { describePrompt } from '../../core/prompt/describePrompt.js';
import { promptPage } from '../../core/prompt/promptPage.js';
import type { FrozenTool } from '../../core/snapshot/agentTools.js';
import type { AgentType, EffectiveAgent } from '../../core/snapshot/effective.js';
import { agentConfig } from './agentConfig.js';
import { noSchemas } from './noSchemas.js';

const clock: FrozenTool = {
  name: 'current_time',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: { zone: { type: 'string' } } },
  origin: { type: 'built-in' },
  source: null,
};
const price = { input: 1, output: 2 };

async function described(fields: Partial<EffectiveAgent>, unlisted: readonly string[] = []) {
  const config = agentConfig({ agent_type: 'react', model_name: 'gpt-4o', max_output_tokens: 100, max_iterations: 2, ...fields });
  const prompt = createAgentPrompt({ config, tools: config.agent_type === 'react' ? [clock] : [], schemas: noSchemas });
  const resolved = { config, llm: { provider: 'openai' }, unlisted };
  return describePrompt({ prompt, snapshot: { hash: 'f'.repeat(64) }, resolved, model: undefined, price }, {});
}

describe('the description of a prompt', () => {
  test('counts the tools that are sent with it', async () => {
    const native = await described({});
    expect(native.tokens.tools).toBeGreaterThan(10);
    expect(native.tokens.total).toBeGreaterThan(native.tokens.messages.reduce((sum, each) => sum + each, 0) + (native.tokens.tools ?? 0));
    expect(native.tokens.estimated).toBe(true);
    const text = await described({ tool_protocol: 'text' });
    expect(text.tokens).not.toHaveProperty('tools');
    expect(text.tokens.estimated).toBe(false);
  });

  test('tells the worst case of a run, whatever the type of the agent', async () => {
    const calls = async (agent_type: AgentType) => (await described({ agent_type })).worst_case?.calls;
    expect([await calls('single_shot'), await calls('react'), await calls('orchestrating')]).toEqual([1, 2, undefined]);
  });
});

test('a page shows the tools, what is not listed yet, and what it can cost', async () => {
  const page = promptPage(await described({ budget: { max_cost: 0.001 } }, ['web']), 'openai');
  expect(page).toContain(
    '[tools] 1, sent with the request; parameters:\ncurrent_time {"type":"object","properties":{"zone":{"type":"string"}}}\n',
  );
  expect(page).toContain('\ncost     at most 2 calls, 0.001 USD (budget)\n');
  expect(page).toContain('\ntools    those of web are not listed yet: "npx agent-stack tools" lists and pins them\n');
  expect(page).toMatch(/tokens {3}\d+ \(estimated\): system \d+, user \d+, tools \d+, and what frames them/);
  expect(promptPage(await described({ agent_type: 'orchestrating' }), 'openai')).not.toMatch(/\[tools\]|cost|not listed/);
});
