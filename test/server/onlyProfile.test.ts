import { expect, test } from 'vitest';
import { openServer } from '../support/serverHarness.js';
import { agentText } from './agents.js';

const agent = 'config/agents/A2/v1.json';
const profile = 'config/llms/a.json';
const persona = 'config/personas/kind.json';

test.each([
  ['a persona that is broken', agentText({ persona_key: 'kind' }), '{"llm_config_id": "b"'],
  ['a persona that names a profile by no text', agentText({ persona_key: 'kind' }), '{"llm_config_id": 7}'],
  ['null for the model that its persona names', agentText({ persona_key: 'kind', model_name: null }), '{"model_name": "gpt-4o"}'],
  ['no text for a profile', agentText({ llm_config_id: 7 }), '{}'],
])('an agent with %s is checked again when the only profile changes', async (_name, text, personaText) => {
  const server = await openServer({
    [agent]: text,
    [persona]: personaText,
    [profile]: '{"llm_id": "a", "provider": "offline", "model_name": "offline"}',
  });
  const found = async () => (await server.service.diagnose(server.uri(agent))).items.map(({ message }) => message).join('\n');
  expect(await found()).not.toContain('price');
  server.edit(profile, '{"llm_id": "a", "provider": "offline", "model_name": "offline", "price": {"output": 1}}');
  expect(await found()).toContain('The price has no input after layering');
});

test('an agent without a model is checked again when a second profile comes and goes', async () => {
  const server = await openServer({ [agent]: agentText({}), [profile]: '{"llm_id": "a", "provider": "offline", "model_name": "offline"}' });
  const found = async () => (await server.service.diagnose(server.uri(agent))).items.filter(({ code }) => code === 'model-not-chosen');
  expect(await found()).toEqual([]);
  const other = 'config/llms/b.json';
  server.write(other, '{"llm_id": "b", "provider": "offline", "model_name": "offline"}');
  expect(await found()).toHaveLength(1);
  server.write(other, undefined);
  expect(await found()).toEqual([]);
});
