import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { fewestTokens, mostTokens } from '../../core/llm/fewestTokens.js';
import { checkProject } from '../../core/rules/checkProject.js';
import { checkRule } from '../support/checkRule.js';
import { memoryFiles } from '../support/memoryFiles.js';

const check = checkRule('context-window-exceeded');
const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');

test('output that leaves no room for a prompt is marked', () =>
  check(`{
  "model_name": "gpt-4",
  "system_text": "You are brief.",
  "max_output_tokens": 8192
//                     ^^^^ context-window-exceeded "gpt-4" has a window of 8192 tokens, but the prompt has at least 3 and max_output_tokens asks for 8192 more.
}`));

test('a prompt that is too long by its words alone is marked', () =>
  check(`{ "model_name": "gpt-4", "system_text": "${words(9000)}" }
//                                      ${'^'.repeat(words(9000).length + 2)} context-window-exceeded the prompt has at least 9000.
`));

test('a template is judged where an agent uses it, without what it inserts', async () => {
  const project = (count: number) => `{ "model_name": "gpt-4", "prompts": { "system_prompt": "long@v1" } }
--- config/prompts/long/v1.json
{ "name": "long", "version": "v1", "template": "{{input.text}} ${words(count)}" }
`;
  await check(project(8000));
  await check(
    project(8200).replace(
      '\n---',
      `
//                                                     ^^^^^^^^^ context-window-exceeded at least 8200
---`,
    ),
  );
});

test('Gemini’s window is one of the input alone', () =>
  check(`{ "provider": "gemini", "model_name": "mine", "system_text": "one two", "max_output_tokens": 100 }
--- agentstack.json
{ "models": { "mine": { "context_window": 100 } } }
`));

test('with a tokenizer the count is exact', async () => {
  const text = 'supercalifragilisticexpialidocious '.repeat(1000);
  const files = memoryFiles({
    'config/agents/A2/v1.json': JSON.stringify({ agent_name: 'A2', version: 'v1', model_name: 'gpt-4', system_text: text }),
  });
  const run = async (count?: (model: string, text: string) => number) => {
    const { findings } = await checkProject({ files, variables: { get: () => undefined }, ...(count && { countTokens: count }) });
    return findings.filter(({ code }) => code === 'context-window-exceeded').map(({ message }) => message);
  };
  expect(await run()).toEqual([]);
  expect(await run((_model, counted) => counted.length / 3.5)).toEqual(['"gpt-4" has a window of 8192 tokens, but the prompt has 10000.']);
});

test('the bounds are never wrong', () => {
  const text = fc
    .array(fc.oneof(fc.string({ unit: 'binary' }), fc.lorem(), fc.constantFrom("don't", '—', '  ', '\n', '1234567', '/\n/')))
    .map((parts) => parts.join(' '));
  fc.assert(
    fc.property(text, (sample) => {
      const tokens = countTokens(sample, { disallowedSpecial: new Set() });
      expect(fewestTokens('gpt-4o', sample)).toBeLessThanOrEqual(tokens);
      expect(fewestTokens('claude-opus-5', sample)).toBeLessThanOrEqual(tokens);
      expect(mostTokens(sample.length)).toBeGreaterThanOrEqual(tokens);
    }),
    { numRuns: 500 },
  );
});
