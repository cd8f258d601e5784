import { type SubjectKey, subjectKeyOf } from '../config/caseParts.js';
import type { Json, JsonObject } from '../json.js';
import { fieldAt } from './fieldAt.js';
import { findExpectationOperator } from './operators/findOperator.js';
import type { Operator } from './operators/operator.js';
import { type Expression, readTree } from './readCondition.js';

/** An example answer and its place. */
export interface Example {
  readonly value: Json;
  readonly pointer: string;
}

/**
 * What expectations can compare, as tasks of the prover: the answer and its text, which exist when the run completes; tools, measures and the
 * route, which always exist, as do calls with some arguments, where they are counted; an order of tools, which "succeeds" where they were called in
 * it; and by their names judges, and tasks of an orchestration.
 */
export const provenParts = {
  answer: 'answer',
  text: 'text',
  run: 'run',
  judge: (name: string) => `judge ${name}`,
  /** How many calls of a tool have such arguments, and one of them. */
  calls: (expectation: JsonObject) => `calls ${JSON.stringify([expectation.tool, expectation.arguments])}`,
  call: (expectation: JsonObject) => `call ${JSON.stringify([expectation.tool, expectation.arguments])}`,
  order: (tools: Json) => `order ${JSON.stringify(tools)}`,
  task: (name: string) => `task ${name}`,
} as const;

/** Reads an entry of `expect` as a condition. What the schema rejects is malformed, and so unknown. */
export function readExpectation(entry: unknown, pointer: string, example?: Example): Expression {
  return readTree(entry, pointer, (expectation, at) => readLeaf(expectation, at, example));
}

function readLeaf(expectation: JsonObject, pointer: string, example: Example | undefined): Expression {
  const malformed = { type: 'malformed', pointer } as const;
  const key = subjectKeyOf(expectation);
  if (key === 'tool' && expectation.arguments !== undefined) return readCalls(expectation, pointer);
  if (key === 'tools_in_order') return readOrder(expectation.tools_in_order, pointer);
  const place = key && placeOf(key, expectation);
  if (key === undefined || place === undefined) return malformed;
  const { task, segments, path } = place;
  if (key === 'status') {
    const { status } = expectation;
    if (task === undefined || (status !== 'success' && status !== 'failure')) return malformed;
    return { type: 'status', task, success: status === 'success', pointer };
  }
  const plainOperator = findExpectationOperator(expectation.operator);
  if (plainOperator === undefined) return malformed;
  // Nothing is proved about texts compared without case: their possible values stay open.
  const operator = expectation.ignore_case === true ? { ...plainOperator, compare: () => undefined, cut: () => ({}) } : plainOperator;
  const isGiven = expectation.value !== undefined || place.example === undefined || example === undefined;
  const expected = isGiven ? expectation.value : fieldAt(example.value, place.example);
  const expectedAt = isGiven || expected === undefined ? undefined : [example.pointer, ...place.example.map(escaped)].join('/');
  return { type: 'field', task, path, segments, operator, expected, pointer, expectedAt };
}

/** The number of calls with matching arguments; if it is not 0, the tool was called, and one call has matching arguments. */
function readCalls(expectation: JsonObject, pointer: string): Expression {
  const { tool, arguments: conditions, operator: written, value } = expectation;
  const operator = findExpectationOperator(written ?? 'greater_than');
  if (operator === undefined || typeof tool !== 'string' || !Array.isArray(conditions)) return { type: 'malformed', pointer };
  const count = { type: 'field', task: provenParts.calls(expectation), path: 'count', segments: ['count'], pointer } as const;
  const countTest: Expression = { ...count, operator, expected: written === undefined ? 0 : value };
  const callTest = readTree(conditions, `${pointer}/arguments`, (condition, at) => {
    const { output_field: path, task } = condition;
    if (typeof path !== 'string' || task !== undefined || subjectKeyOf(condition) !== 'output_field')
      return { type: 'malformed', pointer: at };
    const leaf = readLeaf(condition, at, undefined);
    return leaf.type === 'field' ? { ...leaf, task: provenParts.call(expectation) } : leaf;
  });
  return {
    type: 'all',
    parts: [
      countTest,
      {
        type: 'any',
        parts: [
          { ...count, ...noneOf },
          { type: 'all', parts: [callTest, isCalled(tool, pointer)] },
        ],
      },
    ],
  };
}

/** All of the tools were called, and it is open whether in this order. */
function readOrder(tools: Json | undefined, pointer: string): Expression {
  if (!Array.isArray(tools) || !tools.every((name) => typeof name === 'string')) return { type: 'malformed', pointer };
  const order: Expression = { type: 'status', task: provenParts.order(tools), success: true, pointer };
  return { type: 'all', parts: [order, ...[...new Set(tools)].map((tool) => isCalled(tool, pointer))] };
}

function isCalled(tool: string, pointer: string): Expression {
  return { type: 'not', part: { type: 'field', task: provenParts.run, path: tool, segments: ['tool', tool], pointer, ...noneOf } };
}

const noneOf = { operator: findExpectationOperator('equals') as Operator, expected: 0 };

interface Place {
  /** Of `provenParts`; undefined for the context. */
  readonly task: string | undefined;
  readonly path: string;
  readonly segments: readonly string[];
  /** The part of an example answer to compare with. */
  readonly example?: readonly string[];
}

function placeOf(key: SubjectKey, { judge, tool, measure, task, output_field, context_field }: JsonObject): Place | undefined {
  const field = (name: string | undefined, path: Json | undefined, hasExample: boolean): Place | undefined => {
    if (typeof path !== 'string' || path === '') return undefined;
    const segments = path.split('.');
    return { task: name, path, segments, ...(hasExample && { example: segments }) };
  };
  const ofRun = (name: Json | undefined): Place | undefined =>
    typeof name === 'string' ? { task: provenParts.run, path: name, segments: [key, name] } : undefined;
  switch (key) {
    case 'judge':
      return typeof judge === 'string' ? field(provenParts.judge(judge), output_field, false) : undefined;
    case 'tool':
      return ofRun(tool);
    case 'measure':
      return ofRun(measure);
    case 'route':
      return { task: provenParts.run, path: key, segments: [key] };
    case 'text':
      return { task: provenParts.text, path: key, segments: [key], example: [] };
    case 'context_field':
      return field(undefined, context_field, true);
    default: {
      const provenTask = typeof task === 'string' ? provenParts.task(task) : task === undefined ? provenParts.answer : undefined;
      if (provenTask === undefined) return undefined;
      return key === 'status' ? { task: provenTask, path: key, segments: [] } : field(provenTask, output_field, true);
    }
  }
}

function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
