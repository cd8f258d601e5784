import { type ExpectEntry, emptyExpects, expectationsIn, subjectKeyOf, toolOfCall } from '../config/caseParts.js';
import type { ConfigFile } from '../config/configFile.js';
import type { RelatedPlace } from '../finding.js';
import { isObject, type Json, type JsonObject, segmentsOf, valueAt } from '../json.js';
import type { FaultyTest } from '../routing/prover/routingModel.js';
import { createTeamGraph } from '../routing/teamGraph.js';
import { quoted } from '../words.js';
import { operatorTypeFinding, valueAdvice, valueTypeFinding } from './facts/conditionFaults.js';
import { type EvalScope, evalScopeOf } from './facts/evalSubject.js';
import { exampleAnswersOf, mayBeUnfit, unfitValues } from './facts/exampleAnswers.js';
import { expectationProofsOf, needsExpectationTools, type PayloadProof } from './facts/expectationProofs.js';
import { issueWords } from './facts/issueWords.js';
import { schemaPlace } from './facts/routingProofs.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * An expectation that no run can meet, alone or together with others of its case: it would fail however good the answer is. An example answer
 * that no run gives is a warning, since it fails no case.
 */
export const expectationImpossible: Rule = {
  code: 'expectation-impossible',
  severity: 'error',
  kinds: ['payload'],
  on: 'value',
  needsSchemas(file, context) {
    const answers = exampleAnswersOf(file, context);
    return needsExpectationTools(file, context) || (answers !== undefined && mayBeUnfit(answers));
  },
  check(file, context, report) {
    for (const pointer of emptyExpects(file.value))
      report({ pointer, message: 'This case expects nothing, so it can neither pass nor fail. Say what is expected, or remove "expect".' });
    const scope = evalScopeOf(file, context);
    const proofs = expectationProofsOf(file, context);
    if (scope === undefined || proofs === undefined) return;
    for (const faulty of proofs.faults) reportFault(faulty, file, scope, proofs, report);
    for (const conflict of proofs.conflicts) reportConflict(conflict, file, scope, report);
    if (scope.kind === 'orchestration') reportRoutes(file, scope, report);
    reportExamples(proofs.faults, file, context, report);
  },
};

function reportFault(
  { test, fault }: FaultyTest,
  file: ConfigFile,
  { title, contracts }: EvalScope,
  { isImpossible }: PayloadProof,
  report: Report,
): void {
  const expectation = valueAt(file.value, test.pointer);
  const tool = toolOfCall(file.value, test.pointer);
  const subject = subjectWords(isObject(expectation) ? expectation : {}, tool === undefined ? title : `a call of ${quoted(tool)}`);
  const { pointer } = fault;
  const contract = contracts.get(test.task ?? '');
  const related = (message: string): { related?: readonly RelatedPlace[] } => {
    const { output_schema, file: at, pointer: below } = contract ?? {};
    if (output_schema === undefined || at === undefined || below === undefined || contract?.isText) return {};
    const path = test.type === 'field' ? test.segments : [];
    return { related: [schemaPlace({ output_schema, defaults: undefined, file: at, pointer: below }, path, message)] };
  };
  switch (fault.type) {
    case 'value-type': {
      const finding = valueTypeFinding(fault, 'which is missing here and in "expected"');
      report({ pointer, ...(fault.value === undefined && { target: 'key' }), ...finding });
      return;
    }
    case 'operator-type':
      report({ pointer, ...related('The type of the field is given here.'), ...operatorTypeFinding(fault, subject) });
      return;
    case 'value-impossible': {
      const { advice, data } = valueAdvice(fault.value, fault.allowed);
      const entry = entryAround(file.value, test.pointer);
      // Beside other values that can match it is only superfluous; under `not` the expectation always holds.
      const isSpare = !test.pointer.includes('/not') && entry !== undefined && !isImpossible([entry]);
      report({
        pointer,
        ...(isSpare && { severity: 'warning' }),
        ...related('The values of the field are given here.'),
        message: `${subject} never matches ${quoted(fault.value)}.${advice}`,
        data,
      });
      return;
    }
    default:
  }
}

/** The entry of `expect` that contains a comparison. */
function entryAround(payload: Json | undefined, pointer: string): ExpectEntry | undefined {
  const [at] = /^(?:\/cases\/\d+)?(?:\/turns\/\d+)?\/expect\/\d+/.exec(pointer) ?? [];
  const value = at === undefined ? undefined : valueAt(payload, at);
  return at === undefined || value === undefined ? undefined : { value, pointer: at };
}

/** Values in example answers that no expectation compares with, and that have no finding yet. */
function reportExamples(faults: readonly FaultyTest[], file: ConfigFile, context: RuleContext, report: Report): void {
  const answers = exampleAnswersOf(file, context);
  if (answers === undefined) return;
  const reported = new Set(faults.map(({ fault }) => fault.pointer));
  for (const { example, issue } of unfitValues(answers, context)) {
    const pointer = example.pointer + issue.path;
    if (reported.has(pointer)) continue;
    report({
      pointer,
      severity: 'warning',
      related: [answers.schemaPlace(segmentsOf(issue.path), 'The values of the field are given here.')],
      message: `${answers.title} never answers this: ${issueWords('expected', issue, example.value).text}`,
      data: valueAdvice(valueAt(example.value, issue.path), issue.allowed).data,
    });
  }
}

function reportConflict(conflict: readonly ExpectEntry[], file: ConfigFile, { title }: EvalScope, report: Report): void {
  const last = conflict.at(-1);
  if (last === undefined) return;
  const place = placeOf(last);
  if (conflict.length === 1) {
    const message = `No run of ${title} can meet this expectation: it contradicts itself or the output schema. Change or remove it.`;
    report({ ...place, message, data: { conflict: [last.pointer] } });
    return;
  }
  const related = conflict
    .slice(0, -1)
    .map((entry) => ({ file: file.path, ...placeOf(entry), message: 'This is expected of the same run.' }));
  const others = related.length === 1 ? 'another expectation' : `${related.length} other expectations`;
  report({
    ...place,
    related,
    message: `No run of ${title} can meet this together with ${others} of the case. Change or remove one of them.`,
    data: { conflict: conflict.map(({ pointer }) => pointer) },
  });
}

/** The smallest part of an entry that holds the expected value. */
function placeOf({ value, pointer }: ExpectEntry): { readonly pointer: string; readonly target?: 'key' } {
  const key = isObject(value)
    ? ['value', 'status', 'operator', 'arguments', 'tools_in_order', 'any', 'not'].find((name) => value[name] !== undefined)
    : undefined;
  if (key === undefined) return { pointer };
  return { pointer: `${pointer}/${key}`, ...((key === 'any' || key === 'not') && { target: 'key' }) };
}

/** Whole routes that the teams cannot take in this order. */
function reportRoutes(file: ConfigFile, { title, file: orchestration, teams }: EvalScope, report: Report): void {
  const routes = expectationsIn(file.value).filter(({ value }) => subjectKeyOf(value) === 'route');
  if (routes.length === 0) return;
  const { entry, edges } = createTeamGraph(orchestration.value);
  const teamIds = new Set(teams.map(({ id }) => id));
  const hops = new Set(edges.map(({ from, to }) => JSON.stringify([from, to])));
  for (const { value: expectation, pointer } of routes) {
    for (const { route, at } of wholeRoutes(expectation)) {
      // A missing team is reported by expectation-unknown.
      if (entry === undefined || !route.every((team) => typeof team === 'string' && teamIds.has(team))) continue;
      const wrong = route.findIndex((team, index) =>
        index === 0 ? team !== entry : !hops.has(JSON.stringify([route[index - 1] as Json, team])),
      );
      if (wrong < 0) continue;
      const reason =
        wrong === 0
          ? `Every run of ${title} begins with ${quoted(entry)}, not with ${quoted(route[0])}.`
          : `In ${title} no rule leads from ${quoted(route[wrong - 1])} to ${quoted(route[wrong])}.`;
      report({ pointer: `${pointer}/value${at}/${wrong}`, message: reason, data: { team: route[wrong] } });
    }
  }
}

function wholeRoutes({ operator, value }: JsonObject): readonly { readonly route: readonly Json[]; readonly at: string }[] {
  if (!Array.isArray(value)) return [];
  if (operator === 'equals') return [{ route: value, at: '' }];
  return operator === 'in' ? value.flatMap((route: Json, index) => (Array.isArray(route) ? [{ route, at: `/${index}` }] : [])) : [];
}

/** The subject of an expectation, as a message names it: `"tone" of Shaper@v1`, `The number of calls of "search_files"`. */
function subjectWords(expectation: JsonObject, title: string): string {
  const { judge, tool, measure, task, output_field: field, context_field: context } = expectation;
  switch (subjectKeyOf(expectation)) {
    case 'judge':
      return `${quoted(field)} of the judge ${quoted(judge)}`;
    case 'tool':
      return `The number of calls of ${quoted(tool)}${expectation.arguments === undefined ? '' : ' with such arguments'}`;
    case 'tools_in_order':
      return 'The order of tools';
    case 'measure':
      return quoted(measure);
    case 'route':
      return `The route of ${title}`;
    case 'text':
      return `The text of ${title}`;
    case 'status':
      return task === undefined ? `The status of ${title}` : `The status of the task ${quoted(task)}`;
    case 'context_field':
      return `${quoted(context)} of the context`;
    default:
      return task === undefined ? `${quoted(field)} of ${title}` : `${quoted(field)} of the task ${quoted(task)}`;
  }
}
