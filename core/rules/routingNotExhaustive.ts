import type { TeamPart } from '../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { Counterexample } from '../routing/prover/counterexample.js';
import type { Coverage } from '../routing/prover/proveRouting.js';
import { quoted } from '../words.js';
import { needsProverTools, schemaPlace, teamProofsOf } from './facts/routingProofs.js';
import type { Rule } from './rule.js';

/**
 * A team without `default` whose rules leave a gap: shown by an example that fits the tasks' schemas and that the evaluator of
 * runs has confirmed. Silent where free texts leave the question open.
 */
export const routingNotExhaustive: Rule = {
  code: 'routing-not-exhaustive',
  severity: 'warning',
  kinds: ['orchestration'],
  on: 'value',
  needsSchemas: needsProverTools,
  check(file, context, report) {
    for (const { team, proof, contracts } of teamProofsOf(file, context)) {
      const { coverage } = proof;
      if (coverage.verdict !== 'gap' || !hasRules(team)) continue;
      const { fields } = coverage.counterexample;
      const related = fields.flatMap(({ task, path }) => {
        const contract = task === undefined ? undefined : contracts.get(task);
        return contract === undefined ? [] : [schemaPlace(contract, path.split('.'), `The values of ${quoted(path)} are given here.`)];
      });
      report({
        pointer: `${team.pointer}/routing`,
        target: 'key',
        ...(related.length > 0 && { related }),
        message: `No rule matches ${exampleIn(coverage)}, and there is no default: a run would fail with no-route. Add a rule for it, or a default.`,
        data: dataOf(team, coverage.counterexample),
      });
    }
  },
};

type Gap = Extract<Coverage, { verdict: 'gap' }>;

/** Without a list of rules, the schema requires one or a default. */
function hasRules({ value }: TeamPart): boolean {
  return isObject(value.routing) && Array.isArray(value.routing.rules);
}

/** The example in words: `{"verdict": "unsure"} from "review"`, `a failed "review"`, `the context {"round": 3}`. */
function exampleIn({ counterexample, needs }: Gap): string {
  const { outcomes, fields } = counterexample;
  const parts: string[] = [];
  for (const [name, { status }] of outcomes) {
    const taskFields = fields.filter(({ task }) => task === name);
    if (status !== 'completed') parts.push(`a failed ${quoted(name)}`);
    else if (taskFields.length > 0) parts.push(`${fieldsIn(taskFields)} from ${quoted(name)}`);
    else if (fields.length === 0 || needs.failure) parts.push(`a completed ${quoted(name)}`);
  }
  const contextFields = fields.filter(({ task }) => task === undefined);
  if (contextFields.length > 0) parts.push(`the context ${fieldsIn(contextFields)}`);
  return parts.length === 0 ? 'anything' : parts.join(' with ');
}

function fieldsIn(fields: Counterexample['fields']): string {
  const words = fields.slice(0, mostFields).map(({ path, value }) => {
    const what = typeof value === 'object' && value !== null ? compact(value) : quoted(value);
    return value === undefined ? `no ${quoted(path)}` : `${quoted(path)}: ${what}`;
  });
  return `{${words.join(', ')}${fields.length > mostFields ? ', ...' : ''}}`;
}

const mostFields = 6;

function compact(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : quoted(value);
}

/** A condition that matches the example, and the example itself, without missing fields. */
function dataOf(team: TeamPart, { outcomes, context, fields }: Counterexample): Readonly<Record<string, unknown>> {
  const tests: JsonObject[] = [];
  for (const [task, { status }] of outcomes) {
    if (status !== 'completed') tests.push({ task, status: 'failure' });
    else if (!fields.some((field) => field.task === task)) tests.push({ task, status: 'success' });
  }
  for (const { task, path, value } of fields) {
    const place: JsonObject = task === undefined ? { context_field: path } : { task, output_field: path };
    tests.push(value === undefined ? { ...place, operator: 'exists', value: false } : { ...place, operator: 'equals', value });
  }
  const [test] = tests;
  return {
    team: team.id,
    example: { outcomes: Object.fromEntries(outcomes), context },
    condition: tests.length === 1 && test !== undefined ? test : tests,
    default: null,
  };
}
