import { expect, test } from 'vitest';
import { checkProject } from '../../core/rules/checkProject.js';
import { checkRule } from '../support/checkRule.js';
import { memoryFiles } from '../support/memoryFiles.js';

const check = checkRule('cost-above-budget');
const models = `--- agentstack.json
{ "models": { "m": { "context_window": 100000, "max_output_tokens": 1000, "price": { "input": 10, "output": 20 } } } }
`;

test('a budget below the worst case of a loop is marked', () =>
  check(`{ "agent_type": "react", "model_name": "m", "max_iterations": 5, "budget": { "max_cost": 0.5 } }
//                                                                                       ^^^ cost-above-budget A run may cost 3.14 USD (at most 5 calls), more than its budget of 0.50 USD: it may end with budget-exceeded before its answer. Counted with an input of 2000 tokens.
${models}`));

test('a budget that is enough is not, nor one of an agent whose price nobody knows', async () => {
  await check(`{ "agent_type": "react", "model_name": "m", "max_iterations": 5, "budget": { "max_cost": 4 } }\n${models}`);
  await check(`{ "agent_type": "react", "model_name": "else", "max_iterations": 5, "budget": { "max_cost": 0.001 } }\n${models}`);
});

test('a single call has a worst case too, and a budget of the persona is shown from the agent', () =>
  check(`{ "model_name": "m", "persona_key": "thrifty" }
//                                  ^^^^^^^^^ cost-above-budget (at most 1 call)
--- config/personas/thrifty.json
{ "budget": { "max_cost": 0.01 } }
//                        ^^^^ related The budget is given here.
${models}`));

test('an amount for all agents is held against each, whose own budget limits it', async () => {
  const agent = (more: object) =>
    JSON.stringify({ agent_name: 'A', version: 'v1', agent_type: 'react', model_name: 'm', max_iterations: 5, ...more });
  const settings = models.slice(models.indexOf('{'));
  const run = async (more: object, maxCost: number | undefined) => {
    const files = memoryFiles({ 'config/agents/A/v1.json': agent(more), 'agentstack.json': settings });
    const { findings } = await checkProject({ files, variables: { get: () => undefined }, maxCost });
    return findings.filter(({ code }) => code === 'cost-above-budget').map(({ severity, message }) => `${severity} ${message}`);
  };
  expect(await run({}, undefined)).toEqual([]);
  expect(await run({}, 4)).toEqual([]);
  expect(await run({}, 3)).toEqual([
    expect.stringMatching(/^error A run may cost 3\.\d\d USD \(at most 5 calls\), more than the 3\.00 USD of --max-cost\./),
  ]);
  expect(await run({ budget: { max_cost: 100 } }, 3)).toHaveLength(1);
  expect(await run({ budget: { max_cost: 2 } }, 3)).toEqual([expect.stringMatching(/^warning .* budget of 2\.00 USD/)]);
  expect(await run({ model_name: 'unheard' }, 3)).toEqual([
    expect.stringMatching(/^warning What a run may cost is not known, since the price of its model is unknown/),
  ]);
});

test('with an amount, no agent is too plain to be looked at', async () => {
  const plain = { agent_name: 'A', version: 'v1', mode: 'Writer', system_text: 's', purpose_text: 'p', output_schema: { type: 'object' } };
  const files = memoryFiles({
    'config/agents/A/v1.json': JSON.stringify(plain),
    'config/llms/only.json': JSON.stringify({ llm_id: 'only', provider: 'openai', model_name: 'm' }),
    'agentstack.json': models.slice(models.indexOf('{')),
  });
  const { errors } = await checkProject({ files, variables: { get: () => undefined }, maxCost: 0.001 });
  expect(errors).toBe(1);
});
