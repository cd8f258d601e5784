import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkProject } from '../../core/check/checkProject.js';
import type { Json, JsonObject } from '../../core/json.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';
import { evaluateCondition, type TaskOutcome } from '../../core/routing/evaluateCondition.js';
import { loadPatterns } from '../../core/routing/patterns.js';
import { findingsOf } from '../support/checkRule.js';
import { runs } from '../support/effort.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { reviewAgent } from '../support/reviewAgent.js';

const root = new URL('../../', import.meta.url).pathname;

/** Files of several orchestrations with one fault of every kind. */
const faulty: Readonly<Record<string, string>> = {
  'config/agents/Review/v1.json': reviewAgent.slice(reviewAgent.indexOf('\n') + 1),
  'config/mcp.json': '{ "servers": { "docs": { "url": "https://example.com" } } }',
  'config/personas/critic.json': '{ "system_text": "You judge." }',
  'config/personas/nobody.json': '{ "system_text": "You wait." }',
  'config/orchestrations/references.json': JSON.stringify({
    name: 'references',
    entry_team: 'frist',
    teams: {
      first: {
        name: 'First',
        tasks: [
          { name: 'one', agent: 'Revew@v1' },
          { name: 'two', agent: 'Review@v7' },
          { name: 'three', agent: 'Review@v1', config: { client_ids: ['dosc'] } },
          { name: 'four', agent_class: 'Critic' },
          { name: 'five', persona_key: 'critic' },
          { name: 'five', persona_key: 'critics', depends_on: ['ones'] },
        ],
        routing: { default: 'secnod' },
      },
    },
  }),
  'config/orchestrations/routes.json': JSON.stringify({
    name: 'routes',
    entry_team: 'a',
    max_total_teams: 2,
    teams: {
      a: {
        name: 'A',
        max_recursion_depth: 3,
        tasks: [{ name: 'check', agent: 'Review@v1' }],
        routing: {
          rules: [
            { condition: { task: 'check', output_field: 'verdict', operator: 'in', value: ['pass', 'fail'] }, next_team: 'b' },
            { condition: { task: 'check', output_field: 'verdict', operator: 'equals', value: 'pass' }, next_team: 'c' },
          ],
        },
      },
      b: { name: 'B', tasks: [{ name: 'check', agent: 'Review@v1' }], routing: { default: 'b' } },
      c: { name: 'C', tasks: [{ name: 'check', agent: 'Review@v1' }], routing: { default: null } },
      d: { name: 'D', tasks: [{ name: 'check', agent: 'Review@v1' }], routing: { default: null } },
    },
  }),
  'config/orchestrations/conditions.json': JSON.stringify({
    name: 'conditions',
    entry_team: 'a',
    teams: {
      a: {
        name: 'A',
        tasks: [{ name: 'check', agent: 'Review@v1' }],
        routing: {
          rules: [
            { condition: { task: 'check', output_field: 'verdit', operator: 'exists' }, next_team: null },
            { condition: { task: 'check', output_field: 'verdict', operator: 'equals', value: 'passed' }, next_team: null },
            { condition: { task: 'check', output_field: 'score', operator: 'matches', value: '^1' }, next_team: null },
          ],
          default: null,
        },
      },
    },
  }),
};

const expected: Readonly<Record<string, readonly string[]>> = {
  'config/mcp.json': ['unused-mcp-server'],
  'config/orchestrations/conditions.json': ['condition-field-unknown', 'condition-operator-type', 'condition-value-impossible'],
  'config/orchestrations/references.json': [
    'duplicate-identity',
    'effective-config-incomplete',
    'entry-team-unknown',
    'legacy-agent-class',
    'next-team-unknown',
    'task-unknown',
    'unknown-agent',
    'unknown-agent-version',
    'unknown-mcp-server',
    'unknown-persona',
    'unused-team',
  ],
  'config/orchestrations/routes.json': ['routing-cycle', 'routing-not-exhaustive', 'routing-shadowed', 'unreachable-team', 'unused-team'],
  'config/personas/nobody.json': ['unused-persona'],
};

const patterns = await loadPatterns();
const variables = { get: () => undefined };

async function codesByFile(files: Readonly<Record<string, string>>, paths?: readonly string[]) {
  const { findings } = await checkProject({ files: memoryFiles(files), variables, paths });
  const codes: Record<string, string[]> = {};
  for (const { file, code } of findings) {
    if (file.startsWith('config/agents/')) continue;
    const known = codes[file] ?? [];
    codes[file] = known.includes(code) ? known : [...known, code].sort();
  }
  return codes;
}

test('a project with several faulty orchestrations: every fault in its file, and nothing else', async () => {
  expect(await codesByFile(faulty)).toEqual(expected);
});

test('one file alone, files in another order, and all of them: the same findings', async () => {
  for (const [path, codes] of Object.entries(expected)) expect(await codesByFile(faulty, [path])).toEqual({ [path]: codes });
  expect(await codesByFile(Object.fromEntries(Object.entries(faulty).reverse()))).toEqual(expected);
});

test('the sample project has nothing to report', async () => {
  const { findings, files } = await checkProject({ files: createNodeFiles(root), variables: createNodeEnvironment({}), paths: ['config'] });
  expect(findings.map(({ file, code, message }) => `${file} ${code} ${message}`)).toEqual([]);
  expect(files).toBeGreaterThan(10);
});

describe('hostile orchestrations', () => {
  test('names of the object prototype are teams and tasks like any other', async () => {
    const team = (next: string) =>
      `{ "name": "x", "tasks": [{ "name": "constructor", "agent": "Review@v1" }], "routing": { "rules": [{ "condition": { "task": "constructor", "output_field": "verdict", "operator": "equals", "value": "pass" }, "next_team": "${next}" }], "default": null } }`;
    const found = await findingsOf(`--- config/orchestrations/flow.json
{ "name": "flow", "entry_team": "__proto__", "teams": { "__proto__": ${team('toString')}, "toString": ${team('hasOwnProperty')} } }
${reviewAgent}`);
    const own = found.filter(({ file, code }) => file === 'config/orchestrations/flow.json' && code !== 'schema');
    expect(own.map(({ code, pointer }) => [code, pointer])).toEqual([['next-team-unknown', '/teams/toString/routing/rules/0/next_team']]);
  });

  test('two thousand rules of two hundred teams that all lead to each other are judged in time', async () => {
    const verdicts = ['pass', 'fail', 'unsure'];
    const teams = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `t${index}`,
        {
          name: `T${index}`,
          tasks: [{ name: 'check', agent: 'Review@v1' }],
          routing: {
            rules: Array.from({ length: 10 }, (_, rule) => ({
              condition: [
                { task: 'check', output_field: 'verdict', operator: 'equals', value: verdicts[rule % 3] },
                { task: 'check', output_field: 'score', operator: 'greater_than', value: rule },
              ],
              next_team: `t${(index + rule + 1) % 200}`,
            })),
            default: `t${(index * 7) % 200}`,
          },
        },
      ]),
    );
    const text = JSON.stringify({ name: 'flow', entry_team: 't0', teams });
    const start = performance.now();
    const found = await findingsOf(`--- config/orchestrations/flow.json\n${text}\n${reviewAgent}`, ['routing-cycle', 'routing-shadowed']);
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(found.filter(({ code }) => code === 'routing-cycle')).toHaveLength(1);
  });

  test('two thousand rules of one team are judged in time', async () => {
    const rules = Array.from({ length: 2_000 }, (_, index) => ({
      condition: { context_field: `f${index % 50}`, operator: 'equals', value: index },
      next_team: 'a',
    }));
    const team = { name: 'A', tasks: [{ name: 'check', agent: 'Review@v1' }], routing: { rules } };
    const start = performance.now();
    await findingsOf(`--- config/orchestrations/flow.json\n${JSON.stringify({ name: 'flow', entry_team: 'a', teams: { a: team } })}`);
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  const words = [
    ...['name', 'entry_team', 'teams', 'tasks', 'routing', 'rules', 'condition', 'next_team', 'default', 'context_updates', 'task', 'step'],
    ...[
      'status',
      'output_field',
      'context_field',
      'operator',
      'value',
      'any',
      'not',
      'agent',
      'agent_type',
      'persona_key',
      'config',
      'input',
    ],
    ...[
      'depends_on',
      'agent_class',
      'max_total_teams',
      'max_recursion_depth',
      'output_schema',
      'properties',
      'client_ids',
      'execution_plan',
    ],
    ...['steps', 'servers', 'mcpServers', 'inputs', 'id', 'env', 'command', 'prompts', '__proto__', 'constructor', 'a', 'check', '', '~/'],
  ];
  const texts = [
    ...[
      'Review@v1',
      'Review',
      '@',
      'Review@',
      'a@b@c',
      'critic',
      'verdict',
      'style.tone',
      '..',
      'equals',
      'in',
      'matches',
      'exists',
      '(?=a)',
    ],
    ...['pass', 'single_shot', '{{tasks.check.output}}', '{{tasks.__proto__.x}}', '${X}', '${env:X}', '${', 'a', 'check', '__proto__'],
  ];
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom<unknown>(null, true, 0, -1.5, 1e308, ...texts),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 5 }),
    ),
  }));
  const pick = (...some: readonly unknown[]) =>
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...some) }, { weight: 1, arbitrary: value });
  const maybe = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof({ weight: 8, arbitrary }, { weight: 1, arbitrary: value });
  const comparison = fc.record(
    {
      task: pick('check', 'one', 'gone'),
      output_field: pick('verdict', 'score', 'style.tone', 'tags', 'x'),
      operator: pick('equals', 'in', 'greater_than', 'contains', 'exists', 'matches', 'is_empty'),
      value: pick('pass', 3, ['pass', 'x'], '^a', null),
    },
    { requiredKeys: [] },
  );
  const condition = maybe(
    fc.oneof(
      comparison,
      fc.array(comparison, { maxLength: 3 }),
      comparison.map((not) => ({ not })),
      fc.array(comparison).map((any) => ({ any })),
    ),
  );
  const next = pick('a', 'b', 'c', '__proto__', null, '${X}');
  const task = maybe(
    fc.record(
      {
        name: pick('check', 'one'),
        agent: pick('Review@v1', 'Review', 'Gone@v1'),
        persona_key: pick('critic', 'x'),
        config: value,
        depends_on: value,
        input: value,
      },
      { requiredKeys: ['name'] },
    ),
  );
  const team = maybe(
    fc.record(
      {
        name: pick('x'),
        tasks: maybe(fc.array(task, { maxLength: 3 })),
        routing: maybe(
          fc.record(
            {
              rules: maybe(fc.array(maybe(fc.record({ condition, next_team: next, context_updates: value })), { maxLength: 4 })),
              default: next,
            },
            { requiredKeys: [] },
          ),
        ),
        max_recursion_depth: pick(1, 99),
      },
      { requiredKeys: ['tasks', 'routing'] },
    ),
  );
  const orchestration = fc.record(
    {
      name: pick('flow'),
      entry_team: pick('a', 'b', '__proto__'),
      teams: maybe(fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), team, { maxKeys: 4 })),
      max_total_teams: pick(1, 30, null),
      context: value,
    },
    { requiredKeys: ['teams'] },
  );

  test('no JSON as an orchestration or as mcp.json makes a rule fail, and every finding has its place', () =>
    fc.assert(
      fc.asyncProperty(fc.oneof(orchestration, value), value, value, async (flow, mcp, config) => {
        const found = await findingsOf(`--- config/orchestrations/flow.json
${JSON.stringify(flow)}
--- config/mcp.json
${JSON.stringify(mcp)}
--- config/personas/critic.json
${JSON.stringify(config)}
${reviewAgent}`);
        for (const { message, range } of found) {
          expect(message).toMatch(/^[^\n\r]+$/);
          expect(message.length).toBeLessThan(2_000);
          expect(range.end).toBeGreaterThanOrEqual(range.start);
        }
      }),
      { numRuns: runs(60, 300) },
    ));

  const meant = fc.constantFrom<Json>(
    { task: 'check', status: 'failure' },
    { task: 'check', status: 'success' },
    ...['pass', 'fail', 'unsure'].map((verdict) => ({ task: 'check', output_field: 'verdict', operator: 'equals', value: verdict })),
    ...['dry', 'warm'].map((tone) => ({ task: 'check', output_field: 'style.tone', operator: 'not_equals', value: tone })),
    ...[2, 5, 8].map((score) => ({ task: 'check', output_field: 'score', operator: 'less_than', value: score })),
    ...['bug', 'docs'].map((tag) => ({ task: 'check', output_field: 'tags', operator: 'contains', value: tag })),
    ...['a', 'ab'].map((part) => ({ task: 'check', output_field: 'note', operator: 'contains', value: part })),
    { task: 'check', output_field: 'note', operator: 'matches', value: '^a+$' },
    { context_field: 'round', operator: 'greater_than', value: 2 },
  );
  const meantCondition = fc.oneof(
    meant,
    fc.array(meant, { minLength: 1, maxLength: 3 }),
    meant.map((not) => ({ not })),
    fc.array(meant, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
  );

  test('an example of what no rule takes is left over by every rule, whatever the rules', async () => {
    let examples = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(meantCondition, { minLength: 1, maxLength: 4 }), async (conditions) => {
        const flow = {
          teams: {
            a: {
              tasks: [{ name: 'check', agent: 'Review@v1' }],
              routing: { rules: conditions.map((one) => ({ condition: one, next_team: null })) },
            },
          },
        };
        const fixture = `--- config/orchestrations/flow.json\n${JSON.stringify(flow)}\n${reviewAgent}`;
        for (const { data } of await findingsOf(fixture, ['routing-not-exhaustive'])) {
          const { outcomes, context } = (data as { example: { outcomes: Record<string, TaskOutcome>; context: JsonObject } }).example;
          examples += 1;
          const scope = { outcomes: new Map(Object.entries(outcomes)), context, patterns };
          for (const one of conditions) expect(evaluateCondition(one as Json, scope).matches).toBe(false);
        }
      }),
      { numRuns: runs(40, 100) },
    );
    expect(examples).toBeGreaterThan(20);
  });
});
