import { expect, test } from 'vitest';
import { checkProject } from '../../core/check/checkProject.js';
import { checkRule, defaultPath, findingsOf } from '../support/checkRule.js';
import { memoryFiles } from '../support/memoryFiles.js';

const check = checkRule('deprecated-model');

test('a model that ends is marked with the day, the days left and its successor', () =>
  check(`{
  "model_name": "gpt-4o-mini-2024-07-18"
//              ^^^^^^^^^^^^^^^^^^^^^^^^ deprecated-model "gpt-4o-mini-2024-07-18" (gpt-4o-mini) ends on 2027-01-14, in 48 days. Its successor is "gpt-6-luna".
}`));

test('a fine-tuned model goes with its base', () =>
  check(`{ "model_name": "ft:gpt-4.1-mini-2025-04-14:personal:a2:XXXX" }
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ deprecated-model (gpt-4.1-mini) ends on
`));

test('a current and an unknown model stay', async () => {
  await check(`{ "model_name": "gpt-5.4-mini" }`);
  await check(`{ "model_name": "gpt-99" }`);
});

test('the model of a profile is marked in the profile only', () =>
  check(`{ "llm_config_id": "old" }
--- config/llms/old.json
{ "llm_id": "old", "provider": "anthropic", "model_name": "claude-3-opus-20240229" }
//                                                        ^^^^^^^^^^^^^^^^^^^^^^^^ deprecated-model ended on 2026-01-05, 326 days ago. Its successor is "claude-opus-4-8".
`));

test('the model of a persona is marked on the reference', () =>
  check(`{ "persona_key": "critic" }
//               ^^^^^^^^ deprecated-model
--- config/personas/critic.json
{ "model_name": "o1-mini" }
//              ^^^^^^^^^ related
`));

test('suggestions are no deprecated models, and agentstack.json has the last word', async () => {
  const found = await findingsOf(`{ "model_name": "gpt-5-mini" }`, ['deprecated-model']);
  expect(found[0]?.data).toEqual({
    model: 'gpt-5-mini',
    ends: '2026-12-11',
    days: 14,
    successor: 'gpt-6.1-terra',
    nearest: ['gpt-6.1-terra', 'gpt-5.4-mini'],
    source: 'https://developers.openai.com/api/docs/deprecations',
  });
  await check(`{ "model_name": "gpt-5-mini" }
--- agentstack.json
{ "models": { "gpt-5-mini": { "deprecated": false } } }
`);
  await check(`{ "model_name": "gpt-5.4" }
//              ^^^^^^^^^ deprecated-model "gpt-5.4" is deprecated by its provider: too expensive for us.
--- agentstack.json
{ "models": { "gpt-5.4": { "deprecated": "too expensive for us" } } }
`);
});

const ending = (ends: string, more = '') => `{ "model_name": "mine" }
--- agentstack.json
{ "models": { "mine": { "ends": "${ends}"${more} }, "next": { "ends": "2026-12-05", "successor": "mine" }, "new": {} } }
`;

test.each([
  ['2026-11-27', 'error', '"mine" ends on 2026-11-27, today.'],
  ['2026-11-26', 'error', '"mine" ended on 2026-11-26, 1 day ago.'],
  ['2026-12-27', 'warning', '"mine" ends on 2026-12-27, in 30 days.'],
  ['2026-12-28', 'info', '"mine" ends on 2026-12-28, in 31 days.'],
])('a model that ends on %s is found as %s as of 2026-11-27', async (ends, severity, message) => {
  const [finding] = await findingsOf(ending(ends), ['deprecated-model']);
  expect(finding).toMatchObject({ severity, message: expect.stringContaining(message) });
});

test('a successor that ends too, and a circle, are said, and only a successor that stays is offered', async () => {
  const found = async (successor: string) =>
    (await findingsOf(ending('2026-12-01', `, "successor": "${successor}"`), ['deprecated-model']))[0];
  expect(await found('new')).toMatchObject({
    message: '"mine" ends on 2026-12-01, in 4 days. Its successor is "new".',
    data: { successor: 'new' },
  });
  const circle = await found('next');
  expect(circle?.message).toMatch(/Its successors lead in a circle: "next"\./);
  expect(circle?.data).not.toHaveProperty('successor');
  expect((await found('nobody'))?.message).toMatch(/Its successor is "nobody", of which nothing is known\./);
});

test('a provider that answers with the successor makes no error of the end', async () => {
  const check = async (asOf: string) => {
    const files = memoryFiles({ 'agentstack.json': '{}', [defaultPath]: `{ "provider": "gemini", "model_name": "gemini-2.5-pro" }` });
    const { findings } = await checkProject({ files, asOf, variables: { get: () => undefined } });
    return findings.find(({ code }) => code === 'deprecated-model');
  };
  expect(await check('2026-11-30')).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining(`in 1 day; from then on its provider answers with "gemini-3.8-flash", at that model's price.`),
  });
  expect(await check('2027-01-01')).toMatchObject({ severity: 'warning', message: expect.stringContaining('31 days ago; since then its') });
});

test('without a day as of which to judge, the day is given and the severity stays the same', async () => {
  const files = memoryFiles({ 'agentstack.json': '{}', [defaultPath]: `{ "model_name": "gpt-4" }` });
  const { findings } = await checkProject({ files, variables: { get: () => undefined } });
  expect(findings.find(({ code }) => code === 'deprecated-model')).toMatchObject({
    severity: 'warning',
    message: '"gpt-4" ends on 2026-10-23. Its successor is "gpt-5.6-sol".',
  });
});
