import { describe, expect, test } from 'vitest';
import { withChangingLast } from '../../core/prompt/stablePrefix.js';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('cache-prefix-broken');
/** Some 1.1 tokens each, by the estimate. */
const words = (count: number) => Array.from({ length: count }, () => 'the').join(' ');

const project = (template: string, agent = '') => `{ ${agent}"model_name": "gpt-4.1", "prompts": { "system_prompt": "long@v1" } }
--- config/prompts/long/v1.json
{ "name": "long", "version": "v1", "template": "${template}" }`;

test('a value before a long stable text is marked at the reference, and in the prompt', () =>
  check(`{ "model_name": "gpt-4.1", "prompts": { "system_prompt": "long@v1" } }
//                                                       ^^^^^^^^^ cache-prefix-broken The prompt "long@v1" is stable for about 2 tokens, then {{input.day}} ends it: about 1,715 tokens behind it are the same in every call and billed again each time (0.00257 USD a call).
--- config/prompts/long/v1.json
{ "name": "long", "version": "v1", "template": "Today: {{ input.day }}. ${words(1500)}" }
//                                                     ^^^^^^^^^^^^^^^ related The prefix is stable to here.`));

test('a value in the texts of a plain agent is marked in place', async () => {
  await check(`{ "model_name": "gpt-4.1", "system_text": "For {{input.day}}. ${words(1500)}" }
//                                             ^^^^^^^^^^^^^ cache-prefix-broken system_text is stable for about 2 tokens, then {{input.day}} ends it
`);
  await check(`{ "model_name": "gpt-4.1", "system_text": "Hi", "user_text": "For {{input.day}}. ${words(1500)}" }
//                                                                ^^^^^^^^^^^^^ cache-prefix-broken user_text is stable
`);
  await check(`{ "model_name": "gpt-4.1", "system_text": "${words(1500)}", "user_text": "For {{input.day}}." }`);
});

describe('nothing is said', () => {
  test.each([
    ['where the value stands last', project(`${words(1500)} {{input.day}}`)],
    ['where the text behind is too short to be kept', project(`{{input.day}} ${words(300)}`)],
    ['without a value', project(words(1500))],
    [
      'where the input schema fixes the value',
      project(`{{input.day}} ${words(1500)}`, '"input_schema": { "type": "object", "properties": { "day": { "const": "Monday" } } }, '),
    ],
    ['of a model that is not known to cache', project(`{{input.day}} ${words(1500)}`).replace('gpt-4.1', 'gpt-4')],
    ['of a provider that is not known to cache', project(`{{input.day}} ${words(1500)}`, '"provider": "offline", ')],
  ])('%s', (_, fixture) => check(fixture));
});

test('the minimum is that of the model', async () => {
  const fixture = (model: string) => project(`{{input.day}} ${words(1500)}`, '"provider": "anthropic", ').replace('gpt-4.1', model);
  const found = async (model: string) => (await findingsOf(fixture(model), ['cache-prefix-broken'])).map(({ data }) => data?.minimum);
  expect(await found('claude-opus-5')).toEqual([512]);
  expect(await found('claude-haiku-4-5')).toEqual([]);
});

test('an llm profile that turns caching off has no finding', async () => {
  const fixture = `{ "llm_config_id": "quiet", "prompts": { "system_prompt": "long@v1" } }
--- config/prompts/long/v1.json
{ "name": "long", "version": "v1", "template": "{{input.day}} ${words(1500)}" }
--- config/llms/quiet/v1.json
{ "llm_id": "quiet", "provider": "anthropic", "model_name": "claude-opus-5", "options": { "cache_control": "none" } }`;
  const [on, off] = [fixture.replace(', "options": { "cache_control": "none" }', ''), fixture];
  expect(await findingsOf(on.replaceAll('quiet/v1.json', 'quiet.json'), ['cache-prefix-broken'])).toHaveLength(1);
  expect(await findingsOf(off.replaceAll('quiet/v1.json', 'quiet.json'), ['cache-prefix-broken'])).toHaveLength(0);
});

describe('the moved template', () => {
  test.each([
    ['paragraphs in their order', 'A {{input.a}}\n\nB\n\nC {{input.c}}\n\nD', 'B\n\nD\n\nA {{input.a}}\n\nC {{input.c}}'],
    ['with the heading above them', 'B0\n\n# Today\n\n{{input.a}}\n\nB', 'B0\n\nB\n\n# Today\n\n{{input.a}}'],
    ['with the line that leads to them', 'The day is:\n{{input.a}}\nB', 'B\nThe day is:\n{{input.a}}'],
    ['lines of a single paragraph', '{{input.a}}\nB\nC', 'B\nC\n{{input.a}}'],
    ['with the line ends of the file', 'A {{input.a}}\r\n\r\nB', 'B\r\n\r\nA {{input.a}}'],
  ])('has %s', (_, template, expected) => expect(withChangingLast(template)).toBe(expected));

  test.each([['one line {{input.a}} and more'], ['B\n\n{{input.a}}'], ['no value'], ['']])('does not exist for %j', (template) =>
    expect(withChangingLast(template)).toBeUndefined(),
  );
});
