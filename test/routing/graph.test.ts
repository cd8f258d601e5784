import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { conditionWords } from '../../core/routing/conditionWords.js';
import { edgePath } from '../../core/routing/graph/edgePath.js';
import { type Box, layOutGraph } from '../../core/routing/graph/graphLayout.js';
import { graphMermaid } from '../../core/routing/graph/graphMermaid.js';
import { createGraphModel, type GraphMark, type TeamNode } from '../../core/routing/graph/graphModel.js';
import { graphSvg } from '../../core/routing/graph/graphSvg.js';
import { fitText, textWidth, wrapText } from '../../core/routing/graph/textWidth.js';

const team = (routing: Json, tasks: Json = [{ name: 'a', agent: 'X@v1' }]) => ({ tasks, routing });
const when = (next_team: Json, more: object = {}) => ({ condition: { task: 'a', status: 'failure' }, next_team, ...more });
const loop = {
  entry_team: 'draft',
  teams: {
    draft: team({ default: 'review' }),
    review: team({ rules: [when('review'), when('draft', { context_updates: { round: 2 } }), when('nowhere')], default: null }),
    lost: team({ default: 'draft' }),
  },
};
const teamsOf = (value: Json, marks: readonly GraphMark[] = []) =>
  createGraphModel(value, marks).nodes.filter((node): node is TeamNode => node.kind === 'team');

describe('the graph of an orchestration', () => {
  test('has every team and every way, in file order', () => {
    const { nodes, edges } = createGraphModel(loop);
    expect(nodes.map(({ key }) => key)).toEqual(['start', 'team draft', 'team review', 'team lost', 'missing nowhere', 'end']);
    expect(edges.map(({ from, to, kind, rule }) => `${from} > ${to} ${kind} ${rule}`)).toEqual([
      'start > team draft entry null',
      'team draft > team review default null',
      'team review > team review rule 0',
      'team review > team draft rule 1',
      'team review > missing nowhere rule 2',
      'team review > end default null',
      'team lost > team draft default null',
    ]);
    expect(edges[3]).toMatchObject({ words: 'a: failure', updates: '{"round":2}', pointer: '/teams/review/routing/rules/1' });
  });

  test('says what begins, what cannot be reached and what goes round', () => {
    const [draft, review, lost] = teamsOf(loop);
    expect(draft).toMatchObject({ isEntry: true, isUnreachable: false, cycle: ['draft', 'review'] });
    expect(review).toMatchObject({ isEntry: false, isUnreachable: false });
    expect(lost).toMatchObject({ isUnreachable: true, cycle: [] });
  });

  test('puts what is wrong at the innermost part of it', () => {
    const mark = (pointer: string): GraphMark => ({ severity: 'error', message: pointer, pointer });
    const marks = [
      '/teams/review/tasks/0/agent',
      '/teams/review/routing/rules/2/next_team',
      '/teams/review/name',
      '/max_total_teams',
      '/entry_team',
      '',
    ].map(mark);
    const { nodes, edges, marks: own } = createGraphModel(loop, marks);
    const review = nodes.find(({ key }) => key === 'team review') as TeamNode;
    expect(review.tasks[0]?.marks).toEqual([marks[0]]);
    expect(edges.find(({ rule }) => rule === 2)?.marks).toEqual([marks[1]]);
    expect(review.marks).toEqual([marks[2]]);
    expect(own).toEqual([marks[3], marks[5]]);
    expect(nodes[0]?.marks).toEqual([marks[4]]);
  });

  test('gives each team an end of its own where many may end the run', () => {
    const teams = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`t${index}`, team({ default: null })]));
    const { nodes } = createGraphModel({ entry_team: 't0', teams });
    expect(nodes.filter(({ kind }) => kind === 'end').map(({ key }) => key)).toContain('end of t8');
  });

  test('takes teams of any name, those of every object too', () => {
    const teams = JSON.parse(
      `{"__proto__": ${JSON.stringify(team({ default: 'constructor' }))}, "constructor": ${JSON.stringify(team({ default: null }))}}`,
    );
    const { nodes, edges } = createGraphModel({ entry_team: '__proto__', teams });
    expect(nodes.map(({ key }) => key)).toEqual(['start', 'team __proto__', 'team constructor', 'end']);
    expect(edges.map(({ to }) => to)).toEqual(['team __proto__', 'team constructor', 'end']);
  });

  test('can be made of any JSON at all', () => {
    const shaped = fc.record({
      entry_team: fc.jsonValue(),
      teams: fc.dictionary(
        fc.string(),
        fc.record({ tasks: fc.jsonValue(), routing: fc.record({ rules: fc.array(fc.jsonValue()), default: fc.jsonValue() }) }),
      ),
    });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), shaped), (value) => {
        const model = createGraphModel(value as Json);
        const keys = new Set(model.nodes.map(({ key }) => key));
        expect(keys.size).toBe(model.nodes.length);
        for (const { from, to } of model.edges) expect(keys.has(from) && keys.has(to)).toBe(true);
        expect(graphSvg(layOutGraph(model), 'x')).toContain('</svg>');
        expect(graphMermaid(model)).toContain('flowchart TD');
      }),
      { numRuns: 60 },
    );
  });
});

describe('the picture', () => {
  const overlap = (one: Box, other: Box) =>
    one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

  test('is the same every time, and nothing lies on anything else', () => {
    const layout = layOutGraph(createGraphModel(loop));
    expect(layOutGraph(createGraphModel(loop))).toEqual(layout);
    const boxes: Box[] = [...layout.nodes, ...layout.edges.flatMap(({ label }) => label ?? [])];
    for (const [index, box] of boxes.entries()) {
      expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= layout.width && box.y + box.height <= layout.height).toBe(true);
      for (const other of boxes.slice(index + 1)) expect(overlap(box, other), JSON.stringify([box, other])).toBe(false);
    }
  });

  test('leads every way from the border of one box to that of the other', () => {
    const layout = layOutGraph(createGraphModel(loop));
    const boxOf = (key: string) => layout.nodes.find(({ node }) => node.key === key)!;
    const touches = ({ x, y }: { x: number; y: number }, box: Box) =>
      x >= box.x - 0.2 && x <= box.x + box.width + 0.2 && y >= box.y - 0.2 && y <= box.y + box.height + 0.2;
    for (const way of layout.edges) {
      expect(touches(way.points[0]!, boxOf(way.edge.from)), way.edge.key).toBe(true);
      expect(touches(way.points.at(-1)!, boxOf(way.edge.to)), way.edge.key).toBe(true);
      expect(edgePath(way)).toMatch(/^M[\d. ]+[LC]/);
    }
  });

  test('has the team a run begins with above those that follow, and ways back lead up', () => {
    const layout = layOutGraph(createGraphModel(loop));
    const top = (key: string) => layout.nodes.find(({ node }) => node.key === key)!.y;
    expect(top('start')).toBeLessThan(top('team draft'));
    expect(top('team draft')).toBeLessThan(top('team review'));
    expect(layout.edges.filter(({ isBack }) => isBack).map(({ edge }) => edge.rule)).toEqual([0, 1]);
  });

  test('has the rules of a team from left to right, in the order they are tried', () => {
    const rule = (value: string, next_team: string | null) => ({
      condition: { task: 'sort', output_field: 'kind', operator: 'equals', value },
      next_team,
    });
    const one = (routing: JsonObject) => ({ name: '', tasks: [{ name: 'sort', agent: 'Sorter@v1', input: {} }], routing });
    const rules = [rule('spam', null), rule('bug', 'desk'), rule('idea', 'board'), rule('praise', null), rule('question', 'desk')];
    const file = {
      entry_team: 'triage',
      teams: { board: one({ default: null }), desk: one({ default: 'board' }), triage: one({ rules, default: null }) },
    };
    const { edges } = layOutGraph(createGraphModel(file));
    const labels = edges.filter(({ edge }) => edge.from === 'team triage').map(({ label }) => label!.x + label!.width / 2);
    expect(labels).toHaveLength(6);
    expect(labels).toEqual([...labels].sort((left, right) => left - right));
  });

  test('of 200 teams is there in time', () => {
    const teams = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `t${index}`,
        team({ rules: [when(`t${(index * 7) % 200}`), when(`t${Math.min(199, index + 1)}`)], default: null }),
      ]),
    );
    const started = performance.now();
    expect(layOutGraph(createGraphModel({ entry_team: 't0', teams })).nodes.length).toBeGreaterThan(200);
    // Half a second where nothing else runs.
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  test('shows text as text, in SVG and in Mermaid', () => {
    const hostile = '"]</text><script>alert(1)</script>\n`&#34;';
    const model = createGraphModel({
      entry_team: hostile,
      teams: { [hostile]: team({ rules: [when(hostile)], default: null }, [{ name: hostile, agent: hostile }]) },
    });
    const svg = graphSvg(layOutGraph(model), hostile);
    expect(svg).not.toContain('<script');
    expect(svg.match(/<svg/g)).toHaveLength(1);
    const mermaid = graphMermaid(model);
    expect(mermaid).not.toContain('<script');
    expect(mermaid.split('\n').every((line) => /^(flowchart TD| {2}.*|)$/.test(line))).toBe(true);
    expect(mermaid).toContain('#60;script#62;');
  });

  test('marks what is wrong, with its words', () => {
    const svg = graphSvg(
      layOutGraph(createGraphModel(loop, [{ severity: 'error', message: 'There is no <team>.', pointer: '/teams/review' }])),
      'x',
    );
    expect(svg).toContain('There is no &#60;team&#62;.');
  });
});

describe('texts', () => {
  test('are cut and wrapped to what fits', () => {
    const measure = (text: string) => text.length;
    expect(fitText('abcdef', 6, measure)).toBe('abcdef');
    expect(fitText('abcdefg', 6, measure)).toBe('abcde…');
    expect(wrapText('one two three four', 9, 2, measure)).toEqual(['one two', 'three fo…']);
    expect(wrapText('', 9, 2, measure)).toEqual([]);
    expect(textWidth('WWW', 10)).toBeGreaterThan(textWidth('iii', 10));
  });

  test('of conditions say what is compared, however deep', () => {
    expect(
      conditionWords([
        { task: 'a', output_field: 'p.q', operator: 'in', value: ['x', 'y'] },
        { not: { any: [{ context_field: 'n', operator: 'exists' }] } },
      ]),
    ).toBe('a.p.q in x, y and not ((context.n exists))');
    let deep: Json = { task: 'a', status: 'success' };
    for (let level = 0; level < 20_000; level++) deep = { not: deep };
    expect(conditionWords(deep)).toContain('…');
  });
});
