import { expect, test } from 'vitest';
import { checkProject } from '../../core/check/checkProject.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { resolveAgent } from '../../core/snapshot/resolveAgent.js';
import { checkRule } from '../support/checkRule.js';
import { memoryFiles } from '../support/memoryFiles.js';

/** What the path says, a file need not repeat. */
const files = {
  'config/agents/A2/v1.json': '{ "user_text": "{{input.text}}", "input_keys": ["text"], "llm_config_id": "fast" }',
  'config/llms/fast.json': '{ "provider": "offline" }',
  'config/prompts/p/v1.json': '{ "template": "Hello" }',
  'config/agents/B/v1.json': '{ "agent_type": "react", "prompts": { "system_prompt": "p@v1" }, "llm_config_id": "fast" }',
  'config/orchestrations/flow.json': JSON.stringify({
    entry_team: 'a',
    teams: {
      a: { tasks: [{ name: 'one', agent: 'A2' }], routing: { rules: [], default: 'b' } },
      b: { tasks: [{ name: 'two', agent: 'B' }] },
    },
  }),
};

test('what the path and the end say may be left out', async () => {
  const { findings } = await checkProject({ files: memoryFiles(files), variables: { get: () => undefined } });
  expect(findings.map(({ code, file, message }) => `${file} ${code} ${message}`)).toEqual([]);
});

test('a config is the same with and without what the path says', async () => {
  const written = {
    ...files,
    'config/agents/A2/v1.json': files['config/agents/A2/v1.json'].replace('{', '{ "agent_name": "A2", "version": "v1",'),
  };
  const resolve = async (texts: Record<string, string>) => {
    const path = 'config/agents/A2/v1.json';
    const value = JSON.parse(texts[path] ?? '');
    const project = await loadProjectIndex(memoryFiles(texts));
    return resolveAgent({ agent_name: 'A2', version: 'v1', file: { path, value }, project, variables: { get: () => undefined } });
  };
  const [without, withNames] = [await resolve(files), await resolve(written)];
  expect(without.config).toEqual(withNames.config);
  expect(without.llm).toEqual(withNames.llm);
  expect(without.origins.get('/agent_name')).toEqual({ file: 'config/agents/A2/v1.json', pointer: '', layer: 'agent' });
});

test('where a name is written it must match, and an agent with a mode writes it', async () => {
  await checkRule(
    'name-matches-path',
    'version-matches-path',
  )(`--- config/agents/A2/v1.json
{ "version": "v2" }
//           ^^^^ version-matches-path
--- config/llms/fast.json
{ "llm_id": "slow" }
//          ^^^^^^ name-matches-path
`);
  await checkRule('effective-config-incomplete')(`--- config/agents/A2/v1.json
{ "version": "v1", "mode": "Writer", "system_text": "a", "purpose_text": "b", "output_schema": {}, "model_name": "m" }
^ effective-config-incomplete A2@v1 has no agent_name, which an agent with a mode needs. Add "agent_name": "A2".
`);
});
