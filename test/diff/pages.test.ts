import { describe, expect, test } from 'vitest';
import { diffMarkdown } from '../../core/diff/diffMarkdown.js';
import { diffText } from '../../core/diff/diffText.js';
import { othersLine } from '../../core/diff/headings.js';
import { summaryOf } from '../../core/diff/summary.js';
import type { BehaviourDiff, Blame, ChangedField, SubjectDiff } from '../../core/diff/types.js';

const styles = { bold: String, dim: String, red: String, green: String, yellow: String };
const worst = (cost: number, calls = 1) => ({ calls, prompt_tokens: 400, completion_tokens: 100, cost, unknown: null, limit: cost });
const at = (file: string, pointer: string, side: 'before' | 'after' = 'after') => ({ file, pointer, side });

const same: SubjectDiff = {
  kind: 'agent',
  name: 'A2',
  version: 'v1',
  state: 'changed',
  environments: ['dev', 'prod'],
  hash_before: 'a',
  hash_after: 'b',
  broken: null,
  causes: [],
  prompts: [],
  costs: null,
  contract: [],
  permissions: [],
  routes: [],
  verdicts: null,
};

const shaper: SubjectDiff = {
  ...same,
  causes: [
    {
      file: 'config/personas/kind.json',
      layer: 'persona',
      cause: 'value',
      pointers: ['/agents/A2/system_text', '/agents/A2/max_iterations'],
      count: 2,
    },
    { file: 'config/llms/m.json', layer: 'llm', cause: 'layer-wins', pointers: ['/agents/A2/temperature'], count: 1 },
  ],
  prompts: [
    {
      instance: 'A2',
      also: [],
      part: 'system',
      hunks: [
        {
          words: [
            { mark: ' ', text: 'You are' },
            { mark: '-', text: ' kind' },
            { mark: '+', text: ' very kind, and brief whenever the task that was given to you allows it' },
            { mark: ' ', text: '.\nYou never shout' },
            { mark: '+', text: '\n' },
          ],
        },
      ],
      more_hunks: 2,
      places: [at('config/personas/kind.json', '/system_text')],
      tokens_before: 1240,
      tokens_after: 1252,
    },
    {
      instance: 'A2',
      also: [],
      part: 'settings',
      hunks: [
        {
          words: [
            { mark: ' ', text: 'temperature:' },
            { mark: '-', text: ' 0' },
            { mark: '+', text: ' 0.7' },
          ],
        },
      ],
      more_hunks: 0,
      places: [at('config/llms/m.json', '/temperature')],
      tokens_before: 0,
      tokens_after: 0,
    },
  ],
  costs: {
    maximum_before: worst(0.008),
    maximum_after: worst(0.012),
    typical_before: { usd: 0.001, basis: 'schema', runs: 0 },
    typical_after: null,
    prompt_tokens_before: 1300,
    prompt_tokens_after: 1312,
    prefixes: [{ instance: 'A2', stable_tokens_before: 1240, stable_tokens_after: 20, cached_tokens_before: 1152, cached_tokens_after: 0 }],
  },
  contract: [
    {
      effect: 'breaking',
      instance: 'A2',
      also: [],
      side: 'output',
      field: 'tone',
      message: 'The answer no longer has tone.',
      place: at('config/agents/A2/v1.json', '/output_schema/properties/tone', 'before'),
      readers: [
        {
          kind: 'route',
          words: 'the rule of team intake to escalate',
          place: at('config/orchestrations/flow.json', '/teams/intake/routing/rules/0/condition'),
        },
      ],
    },
  ],
  permissions: [
    {
      direction: 'widened',
      instance: 'A2',
      also: [],
      subject: 'tool',
      name: 'mail/send',
      message: 'It may call mail/send, each call after an approval.',
      place: at('config/agents/A2/v1.json', '/enabled_tools/2'),
    },
  ],
  verdicts: { total: 20, carried: 14, changed: 5, test_changed: 0, new: 1, stale: 0, worst_case: worst(0.38, 42) },
};

const flow: SubjectDiff = {
  ...same,
  kind: 'orchestration',
  name: 'flow',
  version: undefined as never,
  environments: ['dev'],
  routes: [
    {
      change: 'opened',
      from: 'intake',
      to: 'escalate',
      message: 'From intake a run may go to escalate.',
      place: at('config/orchestrations/flow.json', '/teams/intake/routing/rules/0/next_team'),
      example: { outputs: { shaper: { tone: 'formal' } } },
    },
  ],
  permissions: [
    {
      direction: 'unknown',
      instance: 'one/a',
      also: Array.from({ length: 39 }, (_, index) => `one/${index}`),
      subject: 'server',
      name: 'mail',
      message: 'For the server mail, args is [], before ["x"].',
      place: null,
    },
  ],
};

const page: BehaviourDiff = {
  before: { title: 'main', commit: '33f5127b00000000000000000000000000000000' },
  after: { title: 'the working tree' },
  subjects: [
    shaper,
    {
      ...same,
      name: 'B',
      state: 'new_version',
      version: 'v2',
      compared_with: { kind: 'agent', name: 'B', version: 'v1' },
      causes: [{ file: null, layer: null, cause: 'value', pointers: ['/orchestration/context/topic'], count: 1 }],
    },
    {
      ...same,
      name: 'C',
      broken: {
        side: 'after',
        findings: [
          {
            code: 'unknown-llm',
            severity: 'error',
            message: 'There is no llm "x".',
            file: 'config/agents/C/v1.json',
            pointer: '/llm_config_id',
          },
        ],
      },
    },
    flow,
    { ...flow, environments: ['prod'], permissions: [] },
  ],
  unchanged: 38,
  rewritten: 0,
  summary: {
    agents: 3,
    orchestrations: 1,
    widened: 1,
    breaking: 1,
    routes: 1,
    broken: 1,
    max_cost_change: 0.004,
    verdicts: shaper.verdicts,
  },
  not_compared: [
    { what: 'own tools', why: 'Their code is not looked at.', place: at('agentstack.json', '/tools') },
    { what: 'payload values', why: 'Requests are compared with their paths as written.' },
  ],
};
const nothing: BehaviourDiff = { ...page, subjects: [], unchanged: 40, not_compared: [] };
const rewritten: BehaviourDiff = { ...nothing, unchanged: 3, rewritten: 1 };

describe('the page of what changes', () => {
  test('in a terminal', () => expect(diffText(page, { styles, columns: 80 })).toMatchFileSnapshot('pages/page.txt'));
  test('in a comment', () => expect(diffMarkdown(page)).toMatchFileSnapshot('pages/page.md'));
  test('folds no subject where there are few', () =>
    expect(diffMarkdown({ ...page, subjects: page.subjects.slice(0, 1) })).toMatchFileSnapshot('pages/open.md'));

  test('says that nothing changes', () => {
    const text =
      'Nothing that is sent changes\nThe working tree, compared with main (33f5127).\n\n40 compared: nothing that is sent changes, by equal hashes.';
    expect(diffText(nothing, { styles, columns: 80 })).toBe(text);
    expect(diffMarkdown(nothing)).toBe(`## ${text.replace('changes\n', 'changes\n\n')}`);
    expect(diffText({ ...nothing, unchanged: 0 }, { styles, columns: 80 })).toContain('Nothing was compared\n');
    expect(othersLine(rewritten)).toBe(
      '3 compared: nothing that is sent changes, by equal hashes. 1 compared: only written differently, no part changes.',
    );
    expect(diffText({ ...rewritten, unchanged: 0 }, { styles, columns: 80 })).toContain('Nothing that is sent changes\n');
  });

  test('tells once what has no effect, and counts it not as a change', () => {
    const traced = (name: string): SubjectDiff => ({
      ...same,
      name,
      causes: [
        { file: 'config/system.json', layer: 'system', cause: 'layer-wins', pointers: [`/agents/${name}/tracing/enabled`], count: 1 },
      ],
    });
    const told = (...subjects: readonly SubjectDiff[]) =>
      diffText({ ...nothing, unchanged: 0, subjects, summary: summaryOf(subjects) }, { styles, columns: 200 });
    const lines = [
      'agent A@v1, agent B@v1 and agent C@v1, in dev and prod',
      '  Caused by',
      '    config/system.json now decides tracing.enabled',
      '  What it does',
      '    No request, cost, contract, permission or route changes by it.',
    ];
    const cause = { file: 'config/orchestrations/f.json', layer: 'orchestration', cause: 'added', count: 1 } as const;
    const updated = { ...same, causes: [{ ...cause, pointers: ['/orchestration/context/urgency'] }] };
    expect(told(updated).split('\n').slice(-2)).toEqual(['  What it does', '    Its runs may differ by this, in what no part tells.']);
    expect(told(updated)).toMatch(/^1 agent changes\n/);
    const three = ['A', 'B', 'C'].map(traced);
    expect(told(...three).split('\n')).toEqual([
      'No request, cost, contract, permission or route changes',
      'The working tree, compared with main (33f5127).',
      '',
      ...lines,
    ]);
    expect(told(shaper, ...three)).toMatch(/^1 agent changes, /);
    expect(told(...Array.from({ length: 200 }, (_, index) => traced(`A${index}`)))).toContain(
      'agent A7@v1 and 192 others, in dev and prod',
    );
    expect(
      told(...three.map((each) => ({ ...each, state: 'new_version' as const, environments: [each.name] }))).match(/Caused by/g),
    ).toHaveLength(3);
  });

  test('tells which field moved the verdicts, and what is not known of it', async () => {
    const field = (name: string, ...instances: string[]): ChangedField => ({
      names: [name],
      instances,
      places: [at('config/a.json', `/${name}`)],
    });
    const finding = {
      alone: true,
      cases: 40,
      difference: -0.3,
      interval: { low: -0.4, high: -0.2 },
      p_value: 0.01,
      more_cases: null,
      why: null,
    };
    const blame: Blame = {
      environment: 'dev',
      all: { ...finding, outcome: 'moved', parts: [[field('a'), field('b')]] },
      findings: [
        { ...finding, outcome: 'moved', parts: [[field('system_text', 'in/one', 'in/two')]] },
        { ...finding, outcome: 'moved', alone: false, parts: [[field('enums')]] },
        { ...finding, outcome: 'moved', parts: [[field('temperature')], [field('top_p')]] },
        {
          ...finding,
          outcome: 'moved',
          parts: [[field('mode'), field('options')]],
          why: 'the prompt names {{input.x}}, which the input does not have',
        },
        {
          ...finding,
          outcome: 'cannot_tell',
          parts: [[field('tools')]],
          difference: 0.02,
          interval: { low: -0.1, high: 0.1 },
          more_cases: 31,
        },
        { ...finding, outcome: 'cannot_tell', parts: [[field('models')]], difference: null, interval: null, cases: 0 },
        { ...finding, outcome: 'not_moved', parts: [[field('c'), field('d')]], difference: 0, interval: { low: 0, high: 0 } },
      ],
      joined: [{ fields: [field('input_keys'), field('user_text')], why: 'the prompt names {{input.y}}, which the input does not have' }],
      not_sent: [field('description')],
      cases: 40,
      refused_cases: 2,
      mixes: 12,
      runs: 480,
      unjudged_runs: 3,
      cost_usd: 0.2,
      cost_incomplete: true,
      max_cost_usd: 0.2,
      why: 'The budget is used up.',
    };
    await expect(diffText({ ...nothing, unchanged: 0, subjects: [{ ...same, blame }] }, { styles, columns: 200 })).toMatchFileSnapshot(
      'pages/blame.txt',
    );
    const unasked = { ...blame, all: null, findings: [], joined: [], mixes: 0, not_sent: [], why: 'No request of its cases changes.' };
    expect(diffMarkdown({ ...nothing, subjects: [{ ...same, blame: unasked }] })).toContain(
      '**What moved its verdicts**\n\n- Not asked: No request of its cases changes.\n',
    );
  });

  test('fits into the width of the terminal', () => {
    for (const columns of [30, 60, 120]) {
      const lines = diffText(page, { styles, columns }).split('\n');
      // Places are not broken.
      expect(lines.filter((line) => line.length > columns && line.trim().includes(' '))).toEqual([]);
    }
  });

  const hostile = 'x </pre><img src=1>\n\n# @team #12 ![a](http://evil.example) `b` **c** <!-- \n</details>\n\u001b[31m\u202e```';
  const hunk = {
    words: [
      { mark: ' ', text: hostile },
      { mark: '-', text: hostile },
      { mark: '+', text: hostile },
    ],
  } as const;
  const attack: SubjectDiff = {
    ...shaper,
    name: 'A',
    prompts: [{ ...shaper.prompts[0]!, hunks: [hunk], instance: hostile }],
    contract: [{ ...shaper.contract[0]!, message: hostile, place: at(hostile, hostile) }],
    causes: [{ ...shaper.causes[0]!, file: hostile, pointers: [hostile] }],
  };

  test('lets no text of a file be markup, a link or a mention', () => {
    const markdown = diffMarkdown({ ...page, subjects: [attack], not_compared: [{ what: hostile, why: hostile }] });
    const outside = markdown.replace(/^<pre>\n[\s\S]*?\n<\/pre>$/gm, '').replace(/`[^`\n]*`/g, '');
    expect(outside).not.toMatch(/[<>@]|!\[|http:\/\//);
    expect(outside.split('\n').filter((line) => /^#/.test(line))).toHaveLength(2);
    const inside = [...markdown.matchAll(/^<pre>\n([\s\S]*?)\n<\/pre>$/gm)]
      .map(([, text = '']) => text.replace(/<\/?(?:ins|del)>/g, ''))
      .join('');
    expect(inside).toContain('&#60;/pre&#62;');
    expect(inside).not.toMatch(/[<>]/);
    for (const hidden of ['\u001b', '\u202e'])
      expect(markdown + diffText({ ...page, subjects: [attack] }, { styles, columns: 80 })).not.toContain(hidden);
  });

  test('stays below 60,000 characters, and says what found no room', () => {
    const long = { words: [{ mark: '+', text: 'new '.repeat(40_000) }] } as const;
    const big = {
      ...attack,
      prompts: Array.from({ length: 9 }, () => ({ ...shaper.prompts[0]!, hunks: Array.from({ length: 40 }, () => long) })),
    };
    for (const count of [1, 20, 900]) {
      const not_compared = Array.from({ length: count }, () => page.not_compared[0]!);
      const markdown = diffMarkdown({
        ...page,
        subjects: Array.from({ length: count }, (_, index) => ({ ...big, name: `A${index}` })),
        not_compared,
      });
      expect(markdown.length).toBeLessThan(60_000);
      expect(markdown.match(/(?:^|>)(?:### |<summary>)?agent A\d+/gm)?.length ?? 0).toBeGreaterThan(count === 900 ? 400 : count - 1);
      if (count === 900) expect(markdown).toMatch(/There is no room for \d+ more/);
    }
  });
});
