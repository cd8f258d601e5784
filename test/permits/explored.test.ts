import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import { createFlowGraph } from '../../core/permits/flowGraph.js';
import { createMonitors } from '../../core/permits/monitor.js';
import { provePolicy } from '../../core/permits/prove.js';
import type { PermitSubject } from '../../core/permits/subject.js';
import { createRandom } from '../support/random.js';
import { Explorer, type Labels, type RunWatch, toolsOfProject, type WorldTool } from './explorer.js';
import { randomProject } from './randomProject.js';
import { type PermitFiles, prover, subjectsOf } from './support.js';

/** `PERMITS_PROJECTS=10000` takes some minutes. */
const count = Number(process.env.PERMITS_PROJECTS ?? 150);
const firstSeed = Number(process.env.PERMITS_SEED ?? 20261127);

const checks = new WeakMap<JsonObject, (value: Json) => boolean>();
function fits(schema: JsonObject, value: Json): boolean {
  let check = checks.get(schema);
  if (check === undefined) {
    const compiled = prover.schemas.compile(schema);
    check = compiled.ok ? (each) => compiled.check(each).length === 0 : () => false;
    checks.set(schema, check);
  }
  return check(value);
}

const sourceTerms = ['untrusted', 'private'] as const;
const sinkTerms = ['sends', 'changes', 'destroys', 'runs_code'] as const;

function isSource(term: string, id: string, tools: ReadonlyMap<string, Labels | null>, isWorst: boolean): boolean {
  if (id === term) return true;
  const labels = tools.get(id) ?? (isWorst ? { untrusted: true, reads: 'private' } : {});
  return term === 'untrusted' ? labels.untrusted === true : term === 'private' && labels.reads === 'private';
}

function isSink(term: string, id: string, tools: ReadonlyMap<string, Labels | null>, isWorst: boolean): boolean {
  if (id === term) return true;
  const { sends, changes, destroys, runs_code }: Labels = tools.get(id) ?? {};
  const labels = tools.get(id) ? { sends, changes: changes || destroys, destroys, runs_code } : undefined;
  return (sinkTerms as readonly string[]).includes(term) && (labels === undefined ? isWorst : labels[term as 'sends'] === true);
}

interface Figures {
  projects: number;
  assertions: number;
  proved: number;
  refuted: number;
  not_known: number;
  missed: string[];
  falseOnes: string[];
  judged: number;
  slipped: string[];
  needless: string[];
}

async function judgeProject(files: PermitFiles, seed: number, figures: Figures): Promise<void> {
  const subjects = await subjectsOf(files);
  const names = [...subjects.keys()];
  const labelsOf = new Map<string, Labels | null>(toolsOfProject(files).map(({ id, labels }) => [id, labels]));
  for (const [id, labels] of Object.entries({
    calculator: {},
    read_file: { reads: 'private' },
    read_resource: { reads: 'private', untrusted: true, sends: true },
  } as const))
    labelsOf.set(id, labels);
  const explored = (
    isWorst: boolean,
    which: readonly string[],
    runs = 12,
    watch?: (subject: string, instance: string, hasSession: boolean) => RunWatch,
  ) => {
    const explorer = new Explorer(files, { isWorst, fits, random: createRandom(seed), runs, ...(watch && { watch }) });
    explorer.explore(which);
    return [...explorer.crossings.values()];
  };
  const ids = [...labelsOf.keys()];
  const never = [
    ...sourceTerms.flatMap((from) => sinkTerms.map((to) => ({ from: from as string, to: to as string }))),
    ...ids.flatMap((from) => ids.map((to) => ({ from, to }))),
  ];
  const judge = (which: readonly PermitSubject[], whichNames: readonly string[], what: string) => {
    const worst = explored(true, whichNames);
    let least = explored(false, whichNames);
    let isThorough = false;
    const graph = createFlowGraph(which);
    const verdicts = provePolicy(graph, which, { never });
    for (const [index, { from, to }] of never.entries()) {
      const verdict = verdicts[index];
      if (verdict === undefined) throw new Error('An assertion has no verdict.');
      figures.assertions += 1;
      figures[verdict.outcome] += 1;
      const hits = worst.filter(({ source, sink }) => isSource(from, source, labelsOf, true) && isSink(to, sink, labelsOf, true));
      const line = `seed ${seed} ${what}: ${from} -> ${to}`;
      for (const { subject, instance, source, sink } of hits) {
        const isTold = verdict.offences.some(
          ({ tool }) => tool.subject === subject && tool.instance === instance && (tool.id === sink || tool.open !== undefined),
        );
        if (!isTold) figures.missed.push(`${line} (${verdict.outcome}), found ${source} -> ${subject} ${instance} ${sink}`);
      }
      if (verdict.outcome !== 'refuted') continue;
      const isFound = () => least.some(({ source, sink }) => isSource(from, source, labelsOf, false) && isSink(to, sink, labelsOf, false));
      if (!isFound() && !isThorough) {
        least = explored(false, whichNames, 200);
        isThorough = true;
      }
      if (!isFound()) figures.falseOnes.push(`${line}: ${verdict.offences[0]?.way.join(' ').replaceAll('\n', ' ')}`);
    }
    return verdicts;
  };
  const all = names.map((name) => subjects.get(name) as PermitSubject);
  judge(all, names, 'all');
  const random = createRandom(seed + 1);
  const name = names[Math.floor(random() * names.length)] as string;
  const subject = subjects.get(name) as PermitSubject;
  const verdicts = judge([subject], [name], name);

  // The monitor of a run of one subject, for some of these assertions.
  const asked = never.map((flow, index) => ({ flow, index })).filter(({ index }) => index < 8 || random() < 0.1);
  const policy = { never: asked.map(({ flow }) => flow) };
  const monitors = createMonitors(subject, policy);
  explored(true, [name], 12, (_, instance, hasSession) => {
    const monitor = monitors(instance, hasSession);
    const runTool = ({ server, bare, id }: WorldTool) => ({
      name: bare,
      origin: server === null ? ({ type: 'built-in' } as const) : ({ type: 'mcp', client_id: server, name: bare } as const),
      id,
    });
    return {
      before(tool, sources) {
        const judgement = monitor.judge(runTool(tool));
        figures.judged += 1;
        const forbidden = policy.never.find(
          ({ from, to }) => isSink(to, tool.id, labelsOf, true) && sources.some((source) => isSource(from, source, labelsOf, true)),
        );
        if (forbidden !== undefined && judgement.outcome === 'allow')
          figures.slipped.push(`seed ${seed} ${name} ${instance}: ${forbidden.from} -> ${forbidden.to}, ${sources.join()} -> ${tool.id}`);
        if (judgement.outcome === 'allow') return;
        const at = asked[Number(judgement.assertion.split('/').at(-1))]?.index ?? -1;
        if (verdicts[at]?.outcome === 'proved')
          figures.needless.push(`seed ${seed} ${name} ${instance}: ${judgement.assertion} ${tool.id}`);
      },
      after: (tool) => monitor.called(runTool(tool)),
    };
  });
  figures.projects += 1;
}

test('no flow that an explorer finds is proved absent, and what is refuted it finds', { timeout: 3_600_000 }, async () => {
  const figures: Figures = {
    projects: 0,
    assertions: 0,
    proved: 0,
    refuted: 0,
    not_known: 0,
    missed: [],
    falseOnes: [],
    judged: 0,
    slipped: [],
    needless: [],
  };
  const started = Date.now();
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) await judgeProject(randomProject(createRandom(seed)), seed, figures);
  const { missed, falseOnes, slipped, needless, ...numbers } = figures;
  if (process.env.PERMITS_PROJECTS !== undefined) {
    const lists = { missed: missed.length, false_ones: falseOnes.length, slipped: slipped.length, needless: needless.length };
    console.log(JSON.stringify({ ...numbers, ...lists, seconds: (Date.now() - started) / 1000 }, null, 1));
    console.log([...new Set(falseOnes.map((line) => line.split(':')[0]))].join(' | '));
    console.log(
      [
        ...missed.slice(0, 8),
        ...falseOnes.filter((_, index) => index % Math.ceil(falseOnes.length / 25) === 0),
        ...slipped.slice(0, 8),
        ...needless.slice(0, 8),
      ].join('\n'),
    );
  }
  expect({ missed, slipped, needless }).toEqual({ missed: [], slipped: [], needless: [] });
  // Of tasks that can never start, as what they read is not there, and of routes that the context rules out.
  expect(falseOnes.length / Math.max(1, figures.refuted)).toBeLessThan(0.06);
  expect(figures.refuted).toBeGreaterThan(count);
});
