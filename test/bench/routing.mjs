// Proving the routing of 200 teams with 2,000 rules: every rule dead or not, every team exhaustive or not, with counterexamples.
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { median, valueRow } from './report.mjs';

const root = join(import.meta.dirname, '../..');
const teamCount = 200;
const rulesPerTeam = 10;
const verdicts = ['pass', 'minor', 'major', 'reject', 'unclear'];

const contracts = new Map([
  [
    'review',
    {
      output_schema: {
        type: 'object',
        properties: {
          verdict: { type: 'string', enum: verdicts },
          score: { type: 'integer', minimum: 0, maximum: 10 },
          labels: { type: 'array', items: { type: 'string', enum: ['style', 'facts', 'legal', 'tone'] } },
          details: {
            type: 'object',
            properties: { section: { type: ['string', 'null'], enum: ['intro', 'body', 'end', null] }, comment: { type: 'string' } },
            required: ['section', 'comment'],
            additionalProperties: false,
          },
        },
        required: ['verdict', 'score', 'labels', 'details'],
        additionalProperties: false,
      },
    },
  ],
  ['draft', { output_schema: { type: 'object', properties: { text: { type: 'string' }, done: { type: 'boolean' } }, required: ['text'] } }],
]);

const field = (output_field, operator, value) => ({ task: 'review', output_field, operator, value });

/** Ten rules of all sorts. Of every fourth team one rule is dead; of every other one, without default, something is left over. */
function teamOf(number) {
  const conditions = [
    { task: 'review', status: 'failure' },
    { task: 'draft', status: 'failure' },
    [field('verdict', 'equals', 'pass'), field('score', 'greater_than', 7)],
    [field('verdict', 'in', ['pass', 'minor']), { not: field('labels', 'contains', 'legal') }],
    { any: [field('details.section', 'is_empty'), field('details.section', 'equals', 'end')] },
    [{ context_field: 'round', operator: 'less_than', value: 3 + (number % 3) }, field('verdict', 'equals', 'major')],
    [field('score', 'less_than', 3), field('verdict', 'not_equals', 'unclear')],
    number % 4 === 0 ? [field('score', 'less_than', 2), field('verdict', 'equals', 'reject')] : field('labels', 'contains', 'legal'),
    field('verdict', 'equals', 'reject'),
    number % 2 === 0 ? field('verdict', 'not_equals', 'unclear') : { task: 'draft', status: 'success' },
  ];
  return {
    tasks: [{ name: 'draft' }, { name: 'review' }],
    routing: { rules: conditions.map((condition) => ({ condition, next_team: null })) },
  };
}

export async function run() {
  const proveRouting = await loadProver();
  // Every team with tasks of its own, so that nothing is worked out once for all.
  const teams = Array.from({ length: teamCount }, (_, number) => ({ team: teamOf(number), contracts: structuredClone(contracts) }));
  const prove = () => teams.map((one) => proveRouting(one.team, one.contracts));
  const times = [];
  for (let round = 0; round < 41; round++) {
    const begin = process.hrtime.bigint();
    const proofs = prove();
    times.push(Number(process.hrtime.bigint() - begin) / 1e6);
    verify(proofs);
  }
  const [first, ...later] = times;
  return {
    title: 'Routing prover',
    rows: [valueRow(`${teamCount} teams, ${teamCount * rulesPerTeam} rules proven`, median(later.slice(10)), 'ms', { atMost: 50 })],
    notes: [`The first time in a process, before the engine has compiled anything: ${first.toFixed(0)} ms.`],
  };
}

function verify(proofs) {
  for (const [number, { faults, rules, coverage }] of proofs.entries()) {
    const dead = rules.flatMap(({ verdict }, rule) => (verdict === 'possible' ? [] : [rule]));
    const expected = { faults: 0, dead: number % 4 === 0 ? [7] : [], coverage: number % 2 === 0 ? 'gap' : 'exhaustive' };
    const found = { faults: faults.length, dead, coverage: coverage.verdict };
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      throw new Error(`Team ${number} is proven to be ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
    }
  }
}

async function loadProver() {
  const entry = join(root, 'core/routing/prover/proveRouting.ts');
  const [{ text }] = buildSync({ entryPoints: [entry], bundle: true, format: 'esm', write: false }).outputFiles;
  const { proveRouting } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return proveRouting;
}
