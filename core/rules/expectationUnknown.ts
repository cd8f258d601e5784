import { findAgent, splitAgentReference } from '../config/agentReference.js';
import { expectationsIn, subjectKeyOf, toolOfCall } from '../config/caseParts.js';
import type { ConfigFile } from '../config/configFile.js';
import { type ConditionPart, tasksIn } from '../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject, listOf, valueAt } from '../json.js';
import { didYouMean, nearestNames, suggest } from '../names.js';
import { provenParts } from '../routing/readExpectation.js';
import { listed, quoted } from '../words.js';
import { contextFieldsOf } from './facts/contextFields.js';
import { type EvalScope, evalScopeOf, toolsOf } from './facts/evalSubject.js';
import { exampleAnswersOf, unknownFields } from './facts/exampleAnswers.js';
import { expectationProofsOf, needsExpectationTools } from './facts/expectationProofs.js';
import { schemaPlace } from './facts/routingProofs.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * An expectation about a field, tool, task, team or judge that does not exist. In an example answer an unknown field is a warning, since it fails
 * no case.
 */
export const expectationUnknown: Rule = {
  code: 'expectation-unknown',
  severity: 'error',
  kinds: ['payload'],
  on: 'value',
  needsSchemas: needsExpectationTools,
  check(file, context, report) {
    const scope = evalScopeOf(file, context);
    if (scope === undefined) return;
    reportFields(file, scope, context, report);
    reportExampleFields(file, context, report);
    const find = createFinder(file, scope, context);
    for (const part of expectationsIn(file.value)) {
      for (const { key, name, lacks, known, names = known, pointer = `${part.pointer}/${key}`, target } of find(part)) {
        if (known?.includes(name)) continue;
        const nearest = nearestNames(name.slice(0, longest), names ?? []);
        report({ pointer, ...(target && { target }), message: `${lacks}${suggest(nearest, names)}`, data: { name, nearest } });
      }
    }
  },
};

/** No longer part of a name is compared with others. */
const longest = 200;

interface NameLookup {
  readonly key: string;
  readonly name: string;
  /** The message if the name is not among `known`. */
  readonly lacks: string;
  /** Undefined where no name is valid. */
  readonly known: readonly string[] | undefined;
  /** Names to propose, if other than `known`. */
  readonly names?: readonly string[];
  readonly pointer?: string;
  readonly target?: 'key';
}

/** Returns a function that looks up the names in an expectation; each list of names is built once. */
function createFinder(file: ConfigFile, scope: EvalScope, context: RuleContext): (part: ConditionPart) => readonly NameLookup[] {
  const { kind, title, teams } = scope;
  const tasks = [...new Set(teams.flatMap(tasksIn).flatMap(({ name }) => name ?? []))];
  const teamNames = teams.map(({ id }) => id);
  let tools: readonly string[] | undefined | null = null;
  let fields: ReadonlySet<string> | undefined;

  /** A reference to something that only an orchestration has. */
  const orchestrationOnly = (key: string, what: string): readonly NameLookup[] => [
    { key, name: key, known: undefined, target: 'key', lacks: `${title} is an agent, which has no ${what}. Only an orchestration does.` },
  ];
  return ({ value, pointer }) => {
    const { judge, tool, task, context_field } = value;
    const key = subjectKeyOf(value);
    if (typeof judge === 'string') return judgeNames(judge, context);
    if (typeof tool === 'string') {
      if (tools === null) tools = toolsOf(scope, context);
      return tools === undefined ? [] : [{ key: 'tool', name: tool, known: tools, lacks: `${title} has no tool ${quoted(tool)}.` }];
    }
    if (key === 'tools_in_order') {
      if (tools === null) tools = toolsOf(scope, context);
      return tools === undefined ? [] : toolsNamed(value.tools_in_order, `${pointer}/tools_in_order`, title, tools);
    }
    if (typeof task === 'string') {
      if (kind === 'agent') return orchestrationOnly('task', 'tasks');
      return [{ key: 'task', name: task, known: tasks, lacks: `${title} has no task ${quoted(task)}.` }];
    }
    if (key === 'route') return kind === 'agent' ? orchestrationOnly(key, 'teams') : teamsNamed(value, pointer, title, teamNames);
    if (key !== 'context_field' || typeof context_field !== 'string') return [];
    if (kind === 'agent') return orchestrationOnly(key, 'context');
    fields ??= contextFieldsOf(scope.file.value, file.value);
    const [name = ''] = context_field.split('.', 1);
    const lacks = `Nothing sets ${quoted(name)} in the context of ${title}: neither its context, nor its rules, nor these cases.`;
    const names = [...fields].map((field) => field + context_field.slice(name.length));
    return fields.has(name) ? [] : [{ key, name: context_field, known: undefined, names, lacks }];
  };
}

function judgeNames(judge: string, { project }: RuleContext): readonly NameLookup[] {
  if (findAgent(project, judge) !== undefined) return [];
  const { name, version } = splitAgentReference(judge);
  const versions = project.versions(name);
  if (versions.length > 0) {
    const agentIds = versions.map((candidate) => `${name}@${candidate}`);
    return [{ key: 'judge', name: judge, known: agentIds, lacks: `The agent ${quoted(name)} has no version ${quoted(version)}.` }];
  }
  const agents = [...new Set([...project.ids('agent').keys()].map((id) => splitAgentReference(id).name))];
  const names = version === undefined ? agents : agents.map((agent) => findAgent(project, `${agent}@${version}`)?.id ?? agent);
  return [{ key: 'judge', name: judge, known: undefined, names, lacks: `There is no agent ${quoted(name)} that could judge.` }];
}

function toolsNamed(list: Json | undefined, pointer: string, title: string, known: readonly string[]): readonly NameLookup[] {
  return listOf(list).flatMap((name, index): readonly NameLookup[] =>
    typeof name === 'string'
      ? [{ key: 'tools_in_order', name, known, lacks: `${title} has no tool ${quoted(name)}.`, pointer: `${pointer}/${index}` }]
      : [],
  );
}

/** The teams in `value`, with which the route is compared. */
function teamsNamed({ value, operator }: JsonObject, pointer: string, title: string, teamIds: readonly string[]): readonly NameLookup[] {
  const named = (name: Json, at: string): NameLookup[] =>
    typeof name === 'string' ? [{ key: 'value', name, known: teamIds, lacks: `${title} has no team ${quoted(name)}.`, pointer: at }] : [];
  const lists = operator === 'in' && Array.isArray(value) ? value.map((list: Json, index) => ({ list, at: `/${index}` })) : [];
  const all = operator === 'in' ? lists : value === undefined ? [] : [{ list: value, at: '' }];
  return all.flatMap(({ list, at }) =>
    Array.isArray(list)
      ? list.flatMap((name: Json, index) => named(name, `${pointer}/value${at}/${index}`))
      : named(list, `${pointer}/value${at}`),
  );
}

/** Reports fields of example answers that no answer has. */
function reportExampleFields(file: ConfigFile, context: RuleContext, report: Report): void {
  const answers = exampleAnswersOf(file, context);
  if (answers === undefined) return;
  const fieldNames = Object.keys(answers.contract.fields.properties);
  for (const { pointer, name } of unknownFields(answers)) {
    const nearest = nearestNames(name.slice(0, longest), fieldNames);
    report({
      pointer,
      target: 'key',
      severity: 'warning',
      related: [answers.schemaPlace([], 'The fields are listed here.')],
      message: `The answer of ${answers.title} has no field ${quoted(name)}.${nearest.length > 0 ? didYouMean(nearest) : ` It has ${listed(fieldNames)}.`}`,
      data: { name, nearest },
    });
  }
}

/** Reports fields that the output schema of the agent, the task or the judge lacks. */
function reportFields(file: ConfigFile, scope: EvalScope, context: RuleContext, report: Report): void {
  for (const { test, fault } of expectationProofsOf(file, context)?.faults ?? []) {
    if (fault.type !== 'field-unknown') continue;
    const expectation = valueAt(file.value, test.pointer);
    const { judge, task, output_field } = isObject(expectation) ? expectation : {};
    // An unknown measure is reported by the schema.
    if (output_field === undefined) continue;
    const { path, missing, depth, known, pointer } = fault;
    const segments = path.split('.');
    const around = segments.slice(0, depth);
    const start = depth === 0 ? 0 : around.join('.').length + 1;
    const contract = scope.contracts.get(test.task ?? '');
    const tool = toolOfCall(file.value, test.pointer);
    const owner = judge !== undefined ? `the judge ${quoted(judge)}` : task !== undefined ? `the task ${quoted(task)}` : scope.title;
    const whole = tool === undefined ? `The answer of ${owner}` : `A call of ${quoted(tool)}`;
    const where = depth === 0 ? whole : `${quoted(around.join('.'))} of ${tool === undefined ? owner : `a call of ${quoted(tool)}`}`;
    const nearest = nearestNames(missing, known);
    const isOfTask = test.task === provenParts.answer && scope.kind === 'orchestration';
    const advice =
      contract?.isText === true && judge === undefined && task === undefined
        ? ' Expect something of "text": true, or give the agent an output_schema.'
        : isOfTask
          ? ' Name the task whose answer it is, with "task".'
          : nearest.length > 0
            ? didYouMean(nearest)
            : known.length === 0
              ? ''
              : ` It has ${listed(known)}.`;
    const { output_schema, file: at, pointer: below } = contract ?? {};
    report({
      pointer,
      within: { start, end: start + missing.length },
      ...(output_schema !== undefined &&
        at !== undefined &&
        below !== undefined && {
          related: [
            contract?.isText
              ? { file: at, pointer: below, message: 'This agent has no output_schema.' }
              : schemaPlace({ output_schema, defaults: undefined, file: at, pointer: below }, around, 'The fields are listed here.'),
          ],
        }),
      message: `${where} ${contract?.isText ? 'is a text and ' : ''}has no ${tool === undefined ? 'field' : 'argument'} ${quoted(missing)}.${advice}`,
      data: {
        name: path,
        ...(contract?.isText && judge === undefined && task === undefined && { text: true }),
        nearest: isOfTask ? [] : nearest.map((name) => [...around, name, ...segments.slice(depth + 1)].join('.')),
      },
    });
  }
}
