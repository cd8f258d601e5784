import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../core/json.js';
import { evaluateCondition, type TaskOutcome } from '../../core/routing/evaluateCondition.js';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { reviewAgent } from '../support/reviewAgent.js';

const check = checkRule('routing-not-exhaustive');
const flow = (...conditions: readonly string[]) => `--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "name": "review", "agent": "Review@v1" }], "routing": { "rules": [
${conditions.map((condition) => `{ "condition": ${condition}, "next_team": null }`).join(',\n')}
] } } } }
${reviewAgent}`;
const verdict = (...values: readonly string[]) =>
  `{ "task": "review", "output_field": "verdict", "operator": "in", "value": ${JSON.stringify(values)} }`;
const success = '{ "task": "review", "status": "success" }';
const failure = '{ "task": "review", "status": "failure" }';

test('an output that no rule takes is shown, built from the enum, with the place of the enum', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": {
    "a": {
      "tasks": [{ "name": "review", "agent": "Review@v1" }],
      "routing": {
//    ^^^^^^^^^ routing-not-exhaustive No rule matches {"verdict": "unsure"} from "review", and there is no default: a run would fail with no-route.
        "rules": [
          { "condition": { "task": "review", "status": "failure" }, "next_team": null },
          { "condition": { "task": "review", "output_field": "verdict", "operator": "in", "value": ["pass", "fail"] }, "next_team": null }
        ]
      }
    }
  }
}
--- config/agents/Review/v1.json
{
  "output_schema": {
    "type": "object",
    "required": ["verdict"],
    "properties": { "verdict": { "enum": ["pass", "fail", "unsure"] } }
//                  ^^^^^^^^^ related The values of "verdict" are given here.
  }
}
`));

describe('silent', () => {
  test('where all is taken, or a default is there', async () => {
    await check(flow(failure, verdict('pass'), verdict('fail', 'unsure')));
    await check(flow(success, failure));
    await check(`--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [], "routing": { "rules": [], "default": null } } } }
`);
  });

  test('where open texts leave it open, where a variable is compared, and where the schema finds the rules missing', async () => {
    const note = (pattern: string) => `{ "task": "review", "output_field": "note", "operator": "matches", "value": "${pattern}" }`;
    await check(flow(failure, note('^[^a]'), note('a'), '{ "task": "review", "output_field": "note", "operator": "is_empty" }'));
    await check(flow(verdict(`\${VERDICT}`)));
    await check(`--- config/orchestrations/flow.json\n{ "teams": { "a": { "routing": {} }, "b": { "routing": { "rules": 3 } } } }\n`);
  });
});

/** Rules, and the words of what they leave. */
const gaps: readonly (readonly [string, readonly string[], string])[] = [
  ['nothing but failures', [success], 'a failed "review"'],
  ['completions', [failure], 'a completed "review"'],
  ['one value of two fields', [failure, verdict('pass', 'fail'), tone('dry')], '{"verdict": "unsure", "style.tone": "warm"} from "review"'],
  ['a number at a bound', [failure, score('greater_than', 4), score('less_than', 4)], '{"score": 4} from "review"'],
  ['a certain context', [failure, '{ "context_field": "round", "operator": "less_than", "value": 3 }'], 'the context {'],
  ['anything', [], 'anything'],
];

function tone(value: string) {
  return `{ "task": "review", "output_field": "style.tone", "operator": "equals", "value": "${value}" }`;
}

function score(operator: string, value: number) {
  return `{ "task": "review", "output_field": "score", "operator": "${operator}", "value": ${value} }`;
}

test.each(gaps)('an example of %s is left over by the rules, and the condition offered takes it', async (_, conditions, words) => {
  const found = await findingsOf(flow(...conditions), ['routing-not-exhaustive']);
  expect(found).toHaveLength(1);
  expect(found[0]?.message).toContain(words);
  const { example, condition } = found[0]!.data as { example: { outcomes: JsonObject; context: JsonObject }; condition: JsonObject };
  const outcomes = new Map(
    Object.entries(example.outcomes).filter((entry): entry is [string, TaskOutcome & JsonObject] => isObject(entry[1])),
  );
  const holds = (one: unknown) => evaluateCondition(one as JsonObject, { outcomes, context: example.context }).matches;
  expect(conditions.map((one) => holds(JSON.parse(one)))).toEqual(conditions.map(() => false));
  expect(holds(condition)).toBe(true);
});

test('a task whose persona, defaults and config make its schema is judged by what comes out', async () => {
  const project = (config: object) => `--- config/orchestrations/flow.json
${JSON.stringify({
  teams: {
    a: {
      tasks: [{ name: 'check', persona_key: 'critic', config }],
      routing: {
        rules: [
          { condition: { task: 'check', status: 'failure' }, next_team: null },
          { condition: { task: 'check', output_field: 'ok', operator: 'equals', value: true }, next_team: null },
        ],
      },
    },
  },
})}
--- config/personas/critic.json
{ "output_schema": { "type": "object", "properties": { "ok": { "type": "boolean" } } } }
`;
  const left = async (config: object) => (await findingsOf(project(config), ['routing-not-exhaustive'])).map(({ message }) => message);
  expect((await left({}))[0]).toMatch(/\{"ok": false\}|\{no "ok"\}/);
  expect((await left({ defaults: { ok: true } }))[0]).toContain('{"ok": false} from "check"');
  const schema = { type: 'object', properties: { ok: { const: true } } };
  expect((await left({ output_schema: schema }))[0]).toContain('{no "ok"} from "check"');
  expect(await left({ output_schema: schema, defaults: { ok: true } })).toEqual([]);
});
