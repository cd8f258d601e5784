import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { checkProject } from '../../core/check/checkProject.js';
import { countWithin, withTokenizerOf } from '../../core/llm/countExactly.js';
import { fewestTokens, mostTokens, mostTokensOf } from '../../core/llm/fewestTokens.js';
import { checkRule } from '../support/checkRule.js';
import { runs } from '../support/effort.js';
import { memoryFiles } from '../support/memoryFiles.js';

const check = checkRule('context-window-exceeded');
/** One token each. */
const words = (count: number) => Array.from({ length: count }, () => 'the').join(' ');

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

/** `10 * count + 1` tokens for GPT-4, `10 * count` for GPT-4o. */
const long = (count: number) => 'supercalifragilisticexpialidocious '.repeat(count).trim();
const marked = (text: string) => '^'.repeat(text.length + 2);

test('what its words leave open is counted', async () => {
  await check(`{ "model_name": "gpt-4", "system_text": "${long(819)}" }`);
  await check(`{ "model_name": "gpt-4", "system_text": "${long(820)}" }
//                                      ${marked(long(820))} context-window-exceeded "gpt-4" has a window of 8192 tokens, but the prompt has at least 8201.
`);
  await check(`{ "model_name": "gpt-4", "purpose_text": "${long(700)}", "max_output_tokens": 1191 }`);
  await check(`{ "model_name": "gpt-4", "purpose_text": "${long(700)}", "max_output_tokens": 1192 }
//                                       ${marked(long(700))} context-window-exceeded at least 7001 and max_output_tokens asks for 1192 more.
`);
});

test('of a model whose tokenizer is not known nothing is counted', () =>
  check(`{ "provider": "anthropic", "model_name": "mine", "system_text": "${long(800)}" }
--- agentstack.json
{ "models": { "mine": { "context_window": 5000 } } }
`));

test('what is inserted is left out, with what it may make one token with', async () => {
  const text = (count: number) => `${long(400)}\${NAME:-x}${long(count)}`;
  // The last word before it, and the first after it.
  const tokens = (count: number) => 10 * 399 + 1 + 10 * (count - 1);
  expect(tokens(420)).toBe(8181);
  await check(`{ "model_name": "gpt-4", "system_text": "${text(420)}" }`);
  await check(`{ "model_name": "gpt-4", "system_text": "${text(422)}" }
//                                      ${marked(text(422))} context-window-exceeded at least ${tokens(422)}.
`);
});

test('each model gets its own tokenizer', async () => {
  const agent = (name: string, model: string) => [
    `config/agents/${name}/v1.json`,
    JSON.stringify({ agent_name: name, version: 'v1', model_name: model, system_text: long(820) }),
  ];
  const models = { models: { 'gpt-4o': { context_window: 8192 } } };
  const files = [agent('A', 'gpt-4'), agent('B', 'gpt-4o'), agent('C', 'gpt-4'), ['agentstack.json', JSON.stringify(models)]];
  const { findings } = await checkProject({ files: memoryFiles(Object.fromEntries(files)), variables: { get: () => undefined } });
  const exceeded = findings.filter(({ code }) => code === 'context-window-exceeded');
  expect(exceeded.map(({ file, data }) => [file, data?.prompt_tokens, data?.exact])).toEqual([
    ['config/agents/A/v1.json', 8201, true],
    ['config/agents/B/v1.json', 8200, true],
    ['config/agents/C/v1.json', 8201, true],
  ]);
});

test('a stretch never counts for more than it adds to the whole', async () => {
  const count = await withTokenizerOf('gpt-4o');
  const stretch = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 5 }),
        fc.lorem({ maxCount: 4 }),
        fc.constantFrom("don't", '. A', '! ü', '.\u00a0x', '\n', ' ', '  ', '...', '1234', '\r\n'),
      ),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(stretch, stretch, stretch, (before, text, after) => {
      const whole = countTokens(before + text + after, { disallowedSpecial: new Set() });
      const within = countWithin(count, 'gpt-4o', text, { start: true, end: true })!;
      expect(within).toBeLessThanOrEqual(whole);
      const start = countWithin(count, 'gpt-4o', before, { start: false, end: true })!;
      const end = countWithin(count, 'gpt-4o', after, { start: true, end: false })!;
      expect(start + within + end).toBeLessThanOrEqual(whole);
      expect(count('gpt-4o', text)).toBe(countTokens(text, { disallowedSpecial: new Set() }));
    }),
    { numRuns: runs(100, 500) },
  );
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
      expect(mostTokensOf(sample)).toBeGreaterThanOrEqual(tokens);
      expect(mostTokens(sample.length)).toBeGreaterThanOrEqual(mostTokensOf(sample));
    }),
    { numRuns: runs(100, 500) },
  );
});
