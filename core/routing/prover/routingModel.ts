import { routingOf } from '../../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { type Expression, type FieldTest, readCondition, type StatusTest } from '../readCondition.js';
import { createChoiceContext, type ProverTools } from './choiceContext.js';
import { type ConditionFault, findConditionFaults } from './conditionFaults.js';
import type { ProvenTask } from './counterexample.js';
import type { Formula } from './formula.js';
import type { Atom, ChoiceContext } from './question.js';
import { findVariables, type OpenQuestion, type Variable } from './variables.js';

/** The contract of a task, from its effective agent. A task without `output_schema` may yield anything. */
export interface TaskContract {
  readonly output_schema?: JsonObject | undefined;
  /** Fields filled in if an answer lacks them. */
  readonly defaults?: JsonObject | undefined;
}

export interface ModelRule {
  /** Of the condition, below the team. */
  readonly pointer: string;
  readonly condition: Json;
  readonly formula: Formula;
  /** Comparisons in it. */
  readonly size: number;
}

/** A team's routing as a question about finitely many values. */
export interface RoutingModel {
  readonly rules: readonly ModelRule[];
  readonly hasDefault: boolean;
  /** Tasks that conditions read. */
  readonly tasks: readonly ProvenTask[];
  readonly variables: readonly Variable[];
  readonly faults: readonly ConditionFault[];
}

/** Conditions of a team or a plan, or expectations of a case. */
export interface ReadRule {
  readonly pointer: string;
  readonly condition: Json;
  readonly expression: Expression;
}

/** Reads a team as written; parts that the schema rejects are left out, or unknown. */
export function createRoutingModel(team: Json, contracts: ReadonlyMap<string, TaskContract>, tools: ProverTools): RoutingModel {
  const routing = isObject(team) ? routingOf(team) : {};
  const rules = listOf(routing.rules).map((rule, index): ReadRule => {
    const pointer = `/routing/rules/${index}/condition`;
    const condition = isObject(rule) ? (rule.condition ?? null) : null;
    return { pointer, condition, expression: readCondition(condition, pointer) };
  });
  const model = createModel(rules, { known: taskNames(team), contracts, contextOf: (schema) => createChoiceContext(schema, tools) });
  return { ...model, faults: model.faults.map(({ fault }) => fault), hasDefault: routing.default !== undefined };
}

/** What conditions may read. */
export interface ModelScope {
  /** Names of the tasks. */
  readonly known: readonly string[];
  /** By task name; a task missing here may yield anything. */
  readonly contracts: ReadonlyMap<string, TaskContract>;
  readonly contextOf: (schema: JsonObject) => ChoiceContext;
}

const anyObject: JsonObject = { type: 'object' };
const anything: JsonObject = {};

export interface ConditionModel extends Omit<RoutingModel, 'hasDefault' | 'faults'> {
  readonly faults: readonly FaultyTest[];
}

/** A comparison that makes no sense. */
export interface FaultyTest {
  readonly test: FieldTest | StatusTest;
  readonly fault: ConditionFault;
}

export function createModel(read: readonly ReadRule[], { known, contracts, contextOf }: ModelScope): ConditionModel {
  const testsOf = read.map(({ expression }) => testsIn(expression, []));
  const tests: Test[] = [];
  for (const some of testsOf) tests.push(...some);
  const tasks: ProvenTask[] = [];
  const numbers = new Map<string, number>();
  for (const { task: name } of tests) {
    if (name === undefined || numbers.has(name) || !known.includes(name)) continue;
    const schema = contracts.get(name)?.output_schema ?? anyObject;
    numbers.set(name, tasks.length);
    tasks.push({ name, schema, context: contextOf(schema) });
  }
  const openContext = contextOf(anything);

  const questions = createQuestions();
  for (const test of tests) {
    if (test.type === 'field' && (test.task === undefined || numbers.has(test.task))) questions.ask(test);
  }

  const variables: Variable[] = [];
  const places = new Map<Atom, { readonly variable: number; readonly atom: number }>();
  for (const [name, question] of questions.byTask) {
    const number = name === undefined ? -1 : (numbers.get(name) ?? -1);
    const { schema, context } = tasks[number] ?? { schema: true, context: openContext };
    const filled = name === undefined ? [] : Object.keys(contracts.get(name)?.defaults ?? {});
    for (const variable of findVariables(context, number, question, schema, filled)) {
      for (const [atom, test] of variable.atoms.entries()) places.set(test, { variable: variables.length, atom });
      variables.push(variable);
    }
  }

  const faults: FaultyTest[] = [];
  for (const test of tests) {
    const task = test.task === undefined ? undefined : tasks[numbers.get(test.task) ?? -1];
    if (test.task !== undefined && task === undefined) {
      faults.push({ test, fault: { type: 'task-unknown', pointer: test.pointer, task: test.task, known } });
    } else if (test.type === 'field') {
      const place = places.get(questions.atomOf.get(test) as Atom);
      const mayHold = place !== undefined && variables[place.variable]?.classes.some(({ truth }) => truth[place.atom] !== 0) === true;
      const schema = task === undefined ? undefined : contracts.get(task.name)?.output_schema;
      for (const fault of findConditionFaults(test, schema, task?.context ?? openContext, mayHold)) faults.push({ test, fault });
    }
  }

  const toFormula = (part: Expression): Formula => {
    switch (part.type) {
      case 'all':
      case 'any':
        return { type: part.type, parts: part.parts.map(toFormula) };
      case 'not':
        return { type: 'not', part: toFormula(part.part) };
      case 'malformed':
        return { type: 'unknown' };
      case 'status': {
        const task = numbers.get(part.task);
        return task === undefined ? { type: 'unknown' } : { type: 'status', task, success: part.success };
      }
      case 'field': {
        const atom = questions.atomOf.get(part);
        const place = atom === undefined ? undefined : places.get(atom);
        return place === undefined ? { type: 'unknown' } : { type: 'field', variable: place.variable, atom: place.atom };
      }
    }
  };
  const rules = read.map(({ pointer, condition, expression }, index) => ({
    pointer,
    condition,
    formula: toFormula(expression),
    size: 1 + (testsOf[index]?.length ?? 0),
  }));
  return { rules, tasks, variables, faults };
}

function taskNames(team: Json): readonly string[] {
  const tasks = isObject(team) ? listOf(team.tasks) : [];
  return tasks.map((task) => (isObject(task) ? task.name : undefined)).filter((name) => typeof name === 'string');
}

type Test = FieldTest | StatusTest;

function testsIn(part: Expression, tests: Test[]): readonly Test[] {
  if (part.type === 'field' || part.type === 'status') tests.push(part);
  else if (part.type === 'not') testsIn(part.part, tests);
  else if (part.type !== 'malformed') for (const inner of part.parts) testsIn(inner, tests);
  return tests;
}

/** Puts comparisons into one tree of fields per task (undefined: the context); the same comparison is one atom wherever it is written. */
function createQuestions() {
  const byTask = new Map<string | undefined, OpenQuestion>();
  const atomOf = new Map<FieldTest, Atom>();
  const atomsByText = new Map<OpenQuestion, Map<string, Atom>>();
  const open = (): OpenQuestion => ({ atoms: [], children: new Map() });
  const ask = (test: FieldTest) => {
    const { task, segments, operator, expected } = test;
    let question = byTask.get(task) ?? open();
    byTask.set(task, question);
    for (const segment of segments) {
      const child = question.children.get(segment) ?? open();
      question.children.set(segment, child);
      question = child;
    }
    const atoms = atomsByText.get(question) ?? new Map<string, Atom>();
    atomsByText.set(question, atoms);
    const key = `${operator.name} ${typeof expected === 'string' ? `=${expected}` : JSON.stringify(expected)}`;
    let atom = atoms.get(key);
    if (atom === undefined) {
      atom = { segments, operator, expected, cut: operator.cut(expected) };
      atoms.set(key, atom);
      question.atoms.push(atom);
    }
    atomOf.set(test, atom);
  };
  return { byTask: byTask as ReadonlyMap<string | undefined, OpenQuestion>, atomOf: atomOf as ReadonlyMap<FieldTest, Atom>, ask };
}
