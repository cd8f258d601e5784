import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentCoverage, type Coverable, type CoveredRun, mergeCoverage } from '../../../core/eval/coverage/agentCoverage.js';
import { orchestrationCoverage } from '../../../core/eval/coverage/orchestrationCoverage.js';
import { keptResult } from '../../../core/eval/runner/runEval.js';
import type { Json, JsonObject } from '../../../core/json.js';
import { loadPatterns } from '../../../core/routing/patterns.js';
import { resolveOrchestration } from '../../../core/snapshot/resolveOrchestration.js';
import { collectRun } from '../../agent/collectRun.js';
import { type Files, indexOf, minimal, resolve } from '../../snapshot/support.js';
import { teamRun } from '../../support/teams.js';

const path = 'config/agents/A/v1.json';

function ran(
  output: Json,
  { tools = [], defaults = [], status = 'completed' }: { tools?: string[]; defaults?: string[]; status?: 'completed' | 'failed' } = {},
): CoveredRun {
  return {
    status,
    output,
    tool_calls: tools.map((name) => ({ name })),
    metadata: { repairs: defaults.map((field) => ({ keyword: 'default', path: `/${field}` })) },
  };
}

const draw = (all: readonly Coverable[]) =>
  all.map(({ kind, file, pointer, label, hits }) => `${hits} ${kind} ${label} ${file}#${pointer}`);

function covered(agent: JsonObject, runs: readonly CoveredRun[], files: Files = {}): readonly string[] {
  return draw(agentCoverage(resolve({ files: { 'agents/A/v1': { ...minimal, ...agent }, ...files } }), runs));
}

const choices = (...values: string[]) => ({ type: 'string', enum: values });

describe('the coverage of an agent', () => {
  test('counts each listed value that was answered, once a run, at its place in the file', () => {
    const output_schema = {
      type: 'object',
      properties: { tone: choices('direct', 'formal'), tags: { type: 'array', items: choices('a', 'b/c') } },
    };
    expect(
      covered({ output_schema }, [ran({ tone: 'formal', tags: ['b/c', 'b/c'] }), ran({ tone: 'formal' }), ran({ tone: 'unlisted' })]),
    ).toEqual([
      `0 enum_value tone: direct ${path}#/output_schema/properties/tone/enum/0`,
      `2 enum_value tone: formal ${path}#/output_schema/properties/tone/enum/1`,
      `0 enum_value tags: a ${path}#/output_schema/properties/tags/items/enum/0`,
      `1 enum_value tags: b/c ${path}#/output_schema/properties/tags/items/enum/1`,
    ]);
  });

  test('follows references, fields of fields and lists of objects, and ends in a recursive schema', () => {
    const output_schema = {
      type: 'object',
      properties: { parts: { type: 'array', items: { $ref: '#/definitions/part' } } },
      definitions: { part: { type: 'object', properties: { kind: choices('x', 'y'), next: { $ref: '#/definitions/part' } } } },
    };
    expect(covered({ output_schema }, [ran({ parts: [{ kind: 'x' }, { next: { kind: 'y' } }] }), ran({ parts: [{ kind: 'x' }] })])).toEqual(
      [
        `2 enum_value parts.kind: x ${path}#/output_schema/definitions/part/properties/kind/enum/0`,
        `1 enum_value parts.kind: y ${path}#/output_schema/definitions/part/properties/kind/enum/1`,
      ],
    );
  });

  test('says nothing of the answers of runs that failed, but counts their calls of tools', () => {
    const agent = {
      agent_type: 'react',
      enabled_tools: ['read_file', 'search_files'],
      output_schema: { type: 'object', properties: { tone: choices('direct') } },
    };
    expect(covered(agent, [ran({ tone: 'direct' }, { status: 'failed', tools: ['search_files', 'search_files'] })])).toEqual([
      `0 enum_value tone: direct ${path}#/output_schema/properties/tone/enum/0`,
      `1 tool search_files ${path}#/enabled_tools/1`,
      `0 tool read_file ${path}#/enabled_tools/0`,
    ]);
  });

  test('names what a persona says where the persona says it, and each default that was filled in', () => {
    const persona = { defaults: { tone: 'direct', note: '' }, output_schema: { type: 'object', properties: { tone: choices('direct') } } };
    const { output_schema: _own, ...agent } = minimal;
    const resolved = resolve({ files: { 'agents/A/v1': { ...agent, persona_key: 'p' }, 'personas/p': persona } });
    expect(draw(agentCoverage(resolved, [ran({ tone: 'direct', note: '' }, { defaults: ['tone'] })]))).toEqual([
      '1 enum_value tone: direct config/personas/p.json#/output_schema/properties/tone/enum/0',
      '1 default tone: direct config/personas/p.json#/defaults/tone',
      '0 default note:  config/personas/p.json#/defaults/note',
    ]);
  });

  test('is empty for an agent that answers in text', () => {
    expect(covered({ mode: 'Writer', output_schema: { type: 'object' } }, [ran('text')])).toEqual([]);
  });
});

/** `a` counts up and starts again until a number of `x` ends it or leads to `b`. */
const looping = {
  name: 'work',
  entry_team: 'a',
  max_total_teams: 50,
  max_recursion_depth: 50,
  context: { rounds: 0, last: 'none' },
  teams: {
    a: {
      name: 'A',
      tasks: [{ name: 'x', agent: 'Worker@v1' }],
      routing: {
        rules: [
          {
            condition: { task: 'x', output_field: 'n', operator: 'equals', value: 0 },
            next_team: 'a',
            context_updates: { last: '{{tasks.x.output.word}}' },
          },
          {
            condition: [
              { context_field: 'last', operator: 'equals', value: 'again' },
              { task: 'x', output_field: 'n', operator: 'equals', value: 1 },
            ],
            next_team: 'b',
          },
          { condition: { task: 'x', output_field: 'word', operator: 'matches', value: '^e' }, next_team: null },
          { condition: { task: 'x', status: 'failure' }, next_team: 'b' },
        ],
        default: 'a',
      },
    },
    b: { name: 'B', tasks: [{ name: 'y', agent: 'Worker@v1' }], routing: { default: null } },
  },
} as const;

const worker = {
  agent_name: 'Worker',
  version: 'v1',
  mode: 'Writer',
  system_text: 'You work.',
  purpose_text: 'Do the work.',
  output_schema: { type: 'object', properties: { word: { enum: ['again', 'end', 'other'] }, n: { type: 'integer' } } },
  defaults: { word: 'other' },
  model_name: 'gpt-4.1-mini',
};

const files = { 'agents/Worker/v1': worker };

function resolved() {
  return resolveOrchestration({
    file: { path: 'config/orchestrations/work.json', value: looping },
    project: indexOf({ 'orchestrations/work': looping, ...files }),
    agents: new Map([['Worker@v1', { path: 'config/agents/Worker/v1.json', value: worker }]]),
    variables: { get: () => undefined },
  });
}

describe('the coverage of an orchestration', () => {
  test('finds the routes that a run took, from its kept result alone', async () => {
    const patterns = await loadPatterns();
    const answer = fc
      .record({ n: fc.nat(2) })
      .chain(({ n }) => fc.constantFrom<JsonObject>({ n, word: 'again' }, { n, word: 'end' }, { n }));
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 8 }), async (answers) => {
        const script = { 'a/x': [...answers, ...Array.from({ length: 60 }, () => ({ n: 2, word: 'end' }))] };
        const { events, result } = await collectRun(teamRun(looping, { files, script, input: { rounds: 1 } }));
        const expected = new Map<string, number>();
        for (const event of events) {
          if (event.type !== 'route') continue;
          expected.set(`/teams/${event.team}/routing/${event.rule === null ? 'default' : `rules/${event.rule}`}`, 1);
        }
        const found = orchestrationCoverage(resolved(), [{ ...keptResult(result), input: { rounds: 1 } }], patterns);
        const routes = found.filter(({ kind }) => kind === 'route');
        expect(routes.map(({ pointer }) => pointer)).toEqual(
          [0, 1, 2, 3].map((rule) => `/teams/a/routing/rules/${rule}`).concat('/teams/a/routing/default', '/teams/b/routing/default'),
        );
        expect(
          routes
            .filter(({ hits }) => hits > 0)
            .map(({ pointer }) => pointer)
            .sort(),
        ).toEqual([...expected.keys()].sort());
      }),
      { numRuns: 60 },
    );
  });

  test('counts what the agents of its tasks answered and took as defaults, each execution by itself', async () => {
    const script = { 'a/x': [{ n: 0, word: 'again' }, { n: 0 }, { n: 1, word: 'again' }, { n: 2, word: 'end' }] };
    const { result } = await collectRun(teamRun(looping, { files, script }));
    const found = orchestrationCoverage(resolved(), [{ ...keptResult(result), input: {} }], await loadPatterns());
    expect(draw(found)).toEqual([
      '1 route a, rule 1 -> a config/orchestrations/work.json#/teams/a/routing/rules/0',
      '0 route a, rule 2 -> b config/orchestrations/work.json#/teams/a/routing/rules/1',
      '1 route a, rule 3 -> end config/orchestrations/work.json#/teams/a/routing/rules/2',
      '0 route a, rule 4 -> b config/orchestrations/work.json#/teams/a/routing/rules/3',
      '1 route a, default -> a config/orchestrations/work.json#/teams/a/routing/default',
      '0 route b, default -> end config/orchestrations/work.json#/teams/b/routing/default',
      '2 enum_value word: again config/agents/Worker/v1.json#/output_schema/properties/word/enum/0',
      '1 enum_value word: end config/agents/Worker/v1.json#/output_schema/properties/word/enum/1',
      '1 enum_value word: other config/agents/Worker/v1.json#/output_schema/properties/word/enum/2',
      '1 default word: other config/agents/Worker/v1.json#/defaults/word',
    ]);
  });

  test('ends where a run ended without a route', async () => {
    const script = {
      'a/x': [
        { n: 0, word: 'again' },
        { chunks: [], error: new Error('gone') },
      ],
    };
    const { result } = await collectRun(teamRun({ ...looping, max_total_teams: 1 }, { files, script }));
    const routes = orchestrationCoverage(resolved(), [{ ...keptResult(result), input: {} }], await loadPatterns());
    expect(routes.filter(({ kind, hits }) => kind === 'route' && hits > 0)).toEqual([]);
  });
});

test('merged coverage adds the hits of one place', () => {
  const one: Coverable = { kind: 'tool', file: path, pointer: '/enabled_tools/0', label: 'read_file', hits: 1 };
  expect(
    mergeCoverage([
      [one],
      [
        { ...one, hits: 2 },
        { ...one, pointer: '/enabled_tools/1' },
      ],
    ]),
  ).toEqual([
    { ...one, hits: 3 },
    { ...one, pointer: '/enabled_tools/1' },
  ]);
});
