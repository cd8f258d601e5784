import { CompletionItemKind } from 'vscode-languageserver';
import { casesIn, subjectKeyOf } from '../../core/config/caseParts.js';
import { tasksIn } from '../../core/config/orchestrationParts.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { findExpectationOperator, findOperator } from '../../core/routing/operators/findOperator.js';
import { typeOf } from '../../core/routing/operators/operator.js';
import { similar } from '../../core/routing/operators/similar.js';
import { contextFieldsOf } from '../../core/rules/facts/contextFields.js';
import { type EvalSubject, findEvalSubject, knownToolsOf, parametersOf } from '../../core/rules/facts/evalSubject.js';
import { findSetting, layersOf } from '../../core/rules/facts/layers.js';
import { taskLayersOf } from '../../core/rules/facts/taskLayers.js';
import { json } from './draft.js';
import { type FieldPlace, fieldAt, referredField } from './outputs.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';
import { toolSuggestion } from './toolSuggestion.js';

/** Definitions of expectations, and of conditions on the arguments of a call. */
export const expecting: ReadonlySet<string | undefined> = new Set([
  'expectation',
  'expectation_term',
  'argument_condition',
  'argument_term',
]);

/** The scalars of an expectation. */
type Written = ReadonlyMap<string, Json | undefined>;

/** What the payload at the cursor is for. */
export function subjectOf({ identity, project }: Spot): EvalSubject | undefined {
  return findEvalSubject({ identity }, project.ruleContext);
}

/** The rank of a member of an expectation; undefined where it makes no sense. */
export function expectationKeyRank(name: string, spot: Spot): number | undefined {
  const written = spot.members();
  const isFlow = subjectOf(spot)?.kind === 'orchestration';
  const operator = written.get('operator');
  const hasSubject = [...written.keys()].some((key) => !['operator', 'value', 'threshold', 'ignore_case'].includes(key));
  switch (name) {
    case 'operator':
      return hasSubject ? 0 : 5;
    case 'value': {
      const definition = findOperator(operator);
      if (definition !== undefined && definition.expects === undefined) return undefined;
      return operator === undefined ? 5 : 0;
    }
    case 'arguments':
      return written.has('tool') ? 1 : undefined;
    case 'threshold':
      return operator === similar.name ? 1 : undefined;
    case 'ignore_case':
      return findExpectationOperator(operator)?.comparesTexts ? 3 : undefined;
    case 'task':
      return isFlow ? 0 : undefined;
    case 'context_field':
    case 'route':
      return isFlow ? 2 : undefined;
    case 'output_field':
      return !isFlow || written.has('task') || written.has('judge') ? 0 : 4;
    case 'status':
      return written.has('task') ? 1 : 2;
    case 'any':
    case 'not':
      return spot.cursor.siblings.length === 0 ? 4 : undefined;
    default:
      return name === 'text' ? 3 : 2;
  }
}

/** The schema that `output_field` leads into: of the judge, the task or the agent, or of the arguments of a tool. */
export function expectedSchema(spot: Spot, written: Written): Json | undefined {
  const judge = written.get('judge');
  if (judge !== undefined) return referredField(spot, judge, 'output_schema');
  const subject = subjectOf(spot);
  if (subject === undefined) return undefined;
  const { ruleContext } = spot.project;
  const at = spot.path.lastIndexOf('arguments');
  if (at > 0) {
    const expectation = spot.valueAt(spot.path.slice(0, at));
    return isObject(expectation) && typeof expectation.tool === 'string' ? parametersOf(expectation.tool, subject, ruleContext) : undefined;
  }
  const task = written.get('task');
  if (subject.kind === 'agent') {
    const layers = task === undefined ? layersOf(subject.file, ruleContext) : undefined;
    return layers && findSetting(layers, 'output_schema')?.value;
  }
  const part = subject.teams.flatMap(tasksIn).find(({ name }) => name !== undefined && name === task);
  const layers = part && taskLayersOf(subject.file, part, ruleContext);
  return layers && findSetting(layers, 'output_schema')?.value;
}

/** What an expectation compares. */
export function expectedField(spot: Spot, written: Written): FieldPlace | undefined {
  const of = (schema: Json): FieldPlace => ({ schema, root: true });
  switch (subjectKeyOf(Object.fromEntries([...written].map(([key, value]) => [key, value ?? null])))) {
    case 'tool':
      return of({ type: 'integer' });
    case 'measure':
      return of({ type: 'number' });
    case 'text':
      return of({ type: 'string' });
    case 'route':
      return of({ type: 'array', items: { type: 'string', enum: subjectOf(spot)?.teams.map(({ id }) => id) ?? [] } });
    case 'context_field': {
      const context = subjectOf(spot)?.file.value.context;
      const path = written.get('context_field');
      const value = isObject(context) && typeof path === 'string' ? memberAt(context, path.split('.')) : undefined;
      return value === undefined ? undefined : of({ type: typeOf(value) });
    }
    case 'judge':
    case 'output_field': {
      const path = written.get('output_field');
      return typeof path === 'string' ? fieldAt(expectedSchema(spot, written), path) : undefined;
    }
    default:
      return undefined;
  }
}

function memberAt(context: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = context;
  for (const segment of path) value = isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  return value;
}

/** Names that an expectation may have under a key: of tools, tasks and fields of the context. */
export function expectationNames(key: string, spot: Spot): readonly Suggestion[] | undefined {
  const subject = subjectOf(spot);
  const plain = (names: Iterable<string>, kind: CompletionItemKind): readonly Suggestion[] =>
    [...new Set(names)].map((name) => ({ type: 'value', label: name, value: json(name), kind, rank: 1 }));
  switch (key) {
    case 'tool':
    case 'tools_in_order':
      return subject && toolValues(subject, spot);
    case 'task':
      return (
        subject &&
        plain(
          subject.teams.flatMap(tasksIn).flatMap(({ name }) => name ?? []),
          CompletionItemKind.Reference,
        )
      );
    case 'context_field':
      return subject && plain(contextFieldsOf(subject.file.value, { cases: [...givenIn(spot)] }), CompletionItemKind.Field);
    default:
      return undefined;
  }
}

/** The tools that a run may call, each name once. */
function toolValues(subject: EvalSubject, { project }: Spot): readonly Suggestion[] {
  const tools = new Map(knownToolsOf(subject, project.ruleContext).map(({ name, tool }) => [name, tool]));
  return [...tools].map(([name, tool]) => toolSuggestion(name, tool, null));
}

/** The inputs of the cases in the file, as far as they can be read while being typed. */
function* givenIn(spot: Spot): Generator<JsonObject> {
  for (const { value } of casesIn(spot.valueAt([]))) if (isObject(value.context)) yield { context: value.context };
}
