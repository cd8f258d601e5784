import { describe, expect, test } from 'vitest';
import { checkProject } from '../../core/check/checkProject.js';
import { checkRule } from '../support/checkRule.js';
import { memoryFiles } from '../support/memoryFiles.js';

const check = checkRule('cost-above-budget');
const models = `--- agentstack.json
{ "models": { "m": { "context_window": 100000, "max_output_tokens": 1000, "price": { "input": 10, "output": 20 } } } }
`;

test('a budget below the worst case of a loop is marked', () =>
  check(`{ "agent_type": "react", "model_name": "m", "max_iterations": 5, "budget": { "max_cost": 0.5 } }
//                                                                                       ^^^ cost-above-budget A run may cost 3.14 USD (at most 5 calls), more than its budget of 0.50 USD: an answer may be cut off, or the run may end with budget-exceeded before its answer. Counted with an input of 2,000 tokens and answers of up to 1,000 tokens.
${models}`));

test('a budget that is enough is not', () =>
  check(`{ "agent_type": "react", "model_name": "m", "max_iterations": 5, "budget": { "max_cost": 4 } }\n${models}`));

test('a budget below 0 is left to the schema', () =>
  check(`{ "agent_type": "react", "model_name": "m", "budget": { "max_cost": -1 } }\n${models}`));

test('a budget that no run can enforce is an error, since the price of the model is unknown', async () => {
  await check(`{ "agent_type": "react", "model_name": "else", "budget": { "max_cost": 0.05 } }
//                                                                     ^^^^ cost-above-budget The budget of 0.05 USD cannot be enforced, since the price of "else" is unknown: a run is refused, unless --allow-unpriced is given. Give price in the llm profile, or under models in agentstack.json.
${models}`);
  await check(`{
  "agent_type": "orchestrating", "budget": { "max_cost": 0.05 },
//                                                       ^^^^ cost-above-budget the price of "else" is unknown
  "execution_plan": { "steps": [{ "name": "a", "agent": "Other@v1" }] }
}
--- config/agents/Other/v1.json
{ "agent_name": "Other", "version": "v1", "model_name": "else" }
${models}`);
  await check(`{ "provider": "offline", "budget": { "max_cost": 0.05 } }\n${models}`);
  await check(`{ "model_name": "\${MODEL}", "budget": { "max_cost": 0.05 } }\n${models}`);
});

test('a model that may answer more than a budget can pay is not a fault, since a run limits its answers to what is left', async () => {
  await check(`{ "model_name": "gpt-5-mini", "budget": { "max_cost": 0.05 } }`);
  await check(`{ "model_name": "gpt-5-mini", "max_output_tokens": 30000, "budget": { "max_cost": 0.05 } }
//                                                                                ^^^^ cost-above-budget answers of up to 30,000 tokens
`);
});

test('an answer that its schema bounds costs no more', async () => {
  const schema =
    '"output_schema": { "type": "object", "additionalProperties": false, "properties": { "tone": { "enum": ["dry", "warm"] } } }';
  await check(`{ "model_name": "m", "budget": { "max_cost": 0.03 }, ${schema} }\n${models}`);
});

test('an answer that is asked for again costs another call', () =>
  check(`{ "model_name": "m", "retry_invalid": 2, "budget": { "max_cost": 0.1 } }
//                                                               ^^^ cost-above-budget (at most 3 calls)
${models}`));

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

describe('an orchestration', () => {
  const settings = models.slice(models.indexOf('{'));
  /** One call of 0.04 USD: 2000 tokens of input and the agent's own words, 1000 of output. */
  const writer = {
    agent_name: 'W',
    version: 'v1',
    mode: 'Writer',
    system_text: 's',
    purpose_text: 'p',
    model_name: 'm',
    output_schema: { type: 'object' },
  };
  const loop = (more: object = {}) => ({
    name: 'flow',
    entry_team: 'write',
    max_recursion_depth: 3,
    teams: {
      write: { name: 'Write', tasks: [{ name: 'draft', agent: 'W' }], routing: { default: 'check' } },
      check: {
        name: 'Check',
        tasks: [{ name: 'review', persona_key: 'reviewer' }],
        routing: { rules: [{ condition: { task: 'review', status: 'failure' }, next_team: 'write' }], default: null },
      },
    },
    ...more,
  });
  const reviewer = { mode: 'Writer', system_text: 's', purpose_text: 'p', model_name: 'm', output_schema: { type: 'object' } };

  async function run(orchestration: object, maxCost: number | undefined, files: Readonly<Record<string, object>> = {}) {
    const all = { 'config/agents/W/v1.json': writer, 'config/personas/reviewer.json': reviewer, ...files };
    const { findings } = await checkProject({
      files: memoryFiles({
        'config/orchestrations/flow.json': JSON.stringify(orchestration),
        'agentstack.json': settings,
        ...Object.fromEntries(Object.entries(all).map(([path, value]) => [path, JSON.stringify(value)])),
      }),
      variables: { get: () => undefined },
      maxCost,
    });
    return findings
      .filter(({ code, file }) => code === 'cost-above-budget' && file.includes('orchestrations'))
      .map(({ severity, pointer, message }) => `${severity} ${pointer} ${message}`);
  }

  test('is held against an amount with the worst case of its limits', async () => {
    expect(await run(loop(), undefined)).toEqual([]);
    expect(await run(loop(), 1)).toEqual([]);
    expect(await run(loop(), 0.2)).toEqual([
      'error  A run may cost 0.256 USD (at most 6 teams and 6 calls), more than the 0.20 USD of --max-cost. The most expensive team is "check": 0.0428 USD each time, at most 3 times. Counted with 2,000 tokens for the external part of each input.',
    ]);
    expect(await run(loop({ max_recursion_depth: 1 }), 0.2)).toEqual([]);
    expect(await run(loop({ max_total_teams: 1 }), 0.04)).toEqual([
      expect.stringMatching(/^error {2}A run may cost 0\.0426 USD \(at most 1 team and 1 call\)/),
    ]);
  });

  test('counts an input that earlier tasks write with the longest they may write', async () => {
    const handedOn = (input: object) => ({
      name: 'flow',
      entry_team: 'write',
      teams: {
        write: {
          name: 'Write',
          tasks: [
            { name: 'draft', agent: 'W', input: { task: 'Write.' } },
            { name: 'review', persona_key: 'reviewer', input },
          ],
          routing: { default: null },
        },
      },
    });
    // Two answers of 1,000 tokens are 0.04 USD; 1,000 tokens handed on are 0.01, and with what is assumed of an input it were 0.02.
    expect(await run(handedOn({ text: '{{tasks.draft.output}}' }), 0.01)).toEqual([
      'error  A run may cost 0.0555 USD (at most 1 team and 2 calls), more than the 0.01 USD of --max-cost. Every input has a bound by what the tasks before it may answer.',
    ]);
    expect(await run(handedOn({ text: '{{context.topic}}' }), 0.01)).toEqual([
      expect.stringMatching(/A run may cost 0\.0\d+ USD .* Counted with 2,000 tokens for the external part of each input\.$/),
    ]);
    const brief = { type: 'object', properties: { title: { type: 'string', maxLength: 40 } } };
    const files = { 'config/agents/W/v1.json': { ...writer, output_schema: brief } };
    expect(await run(handedOn({ text: '{{tasks.draft.output.title}}' }), 0.01, files)).toEqual([
      expect.stringMatching(/cost 0\.04\d+ USD/),
    ]);
  });

  test('counts what routes put into the context of a task without an input', async () => {
    const flow = loop({ max_total_teams: 2 });
    const rules = [
      { condition: { task: 'draft', status: 'success' }, next_team: 'check', context_updates: { text: '{{tasks.draft.output}}' } },
    ];
    const grown = { ...flow, teams: { ...flow.teams, write: { ...flow.teams.write, routing: { rules, default: 'check' } } } };
    expect(await run(flow, 0.01)).toEqual([expect.stringContaining('cost 0.0854 USD')]);
    expect(await run(grown, 0.01)).toEqual([expect.stringMatching(/cost 0\.10\d USD/)]);
  });

  test('takes what comes from outside for as long as agentstack.json says', async () => {
    const files = { 'agentstack.json': { ...JSON.parse(settings), assumed_input_tokens: 5000 } };
    const once = loop({ max_total_teams: 1 });
    expect(await run(once, 0.01)).toEqual([expect.stringMatching(/cost 0\.04\d+ USD/)]);
    expect(await run(once, 0.01, files)).toEqual([expect.stringMatching(/cost 0\.07\d+ USD .* Counted with 5,000 tokens/)]);
  });

  test('takes its limits from the layers below', async () => {
    const layered = { ...loop(), max_recursion_depth: undefined };
    expect(await run(layered, 0.2, { 'config/system.json': { orchestration: { max_recursion_depth: 1 } } })).toEqual([]);
    expect(await run(layered, 0.2)).toHaveLength(1);
  });

  test('of which a price is missing names the task, where a run gets to it', async () => {
    const files = { 'config/personas/reviewer.json': { ...reviewer, model_name: 'unheard', max_output_tokens: 10 } };
    expect(await run(loop(), 1, files)).toEqual([
      expect.stringMatching(
        /^warning \/teams\/check\/tasks\/0\/name What the task "review" of the team "check" may cost is not known, since the price of "unheard" is unknown: .* Give price in the llm profile/,
      ),
    ]);
    expect(await run(loop({ max_total_teams: 1 }), 1, files)).toEqual([]);
  });

  test('with a task whose budget no run can enforce', async () => {
    const persona = { ...reviewer, model_name: 'unheard', budget: { max_cost: 0.01 } };
    expect(await run(loop(), undefined, { 'config/personas/reviewer.json': persona })).toEqual([
      expect.stringMatching(/^error \/teams\/check\/tasks\/0\/name The budget of 0\.01 USD of the task "review" cannot be enforced/),
    ]);
  });

  test('with an agent that is not there has other findings', async () =>
    expect(
      await run(loop(), 0, { 'config/personas/reviewer.json': {}, 'config/agents/W/v1.json': { ...writer, agent_name: 'V' } }),
    ).toHaveLength(1));

  test('counts the plans of its agents, and those of the agents they call', async () => {
    const plan = { steps: [{ name: 'a', agent: 'W', repeat: { until: { step: 'a', operator: 'exists' }, max: 10 } }] };
    const planner = { agent_name: 'P', version: 'v1', agent_type: 'orchestrating', execution_plan: plan };
    const single = {
      name: 'flow',
      entry_team: 'only',
      teams: { only: { name: 'Only', tasks: [{ name: 'plan', agent: 'P@v1' }], routing: { default: null } } },
    };
    expect(await run(single, 0.4, { 'config/agents/P/v1.json': planner })).toEqual([
      expect.stringMatching(/^error {2}A run may cost 0\.426 USD \(at most 1 team and 10 calls\)/),
    ]);
  });
});

test('a plan is held against the budget of its agent', () =>
  check(`{
  "agent_type": "orchestrating", "model_name": "m", "budget": { "max_cost": 0.08 },
//                                                                          ^^^^ cost-above-budget (at most 4 calls)
  "execution_plan": { "steps": [{ "name": "a", "llm": "Think.", "on_error": "retry", "retries": 3 }] }
}
${models}`));
