import type { ConfigFile } from '../config/configFile.js';
import { isObject, pointerOf } from '../json.js';
import { usd, type WorstCase } from '../llm/worstCase.js';
import { assumedInput, type StaticWorstCase, staticWorstCase } from '../prompt/staticWorstCase.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { findGiven, isWritten, layersOf, placeOf } from './support/layers.js';
import { basisWords, boundsIn, createFacts, type OrchestrationBounds, type TaskBound } from './support/orchestrationBounds.js';
import { needsProverTools } from './support/routingProofs.js';
import { shown } from './support/words.js';

/**
 * The worst case of a run costs more than the agent's budget, so that the run may end before its answer; or more than `check --max-cost`
 * allows a run of an agent or orchestration, or an amount that is not known. Told from the files alone; what comes from outside counts with
 * `assumed_input_tokens` of agentstack.json.
 */
export const costAboveBudget: Rule = {
  code: 'cost-above-budget',
  severity: 'warning',
  kinds: ['agent', 'orchestration'],
  on: 'value',
  needsSchemas: (file, context) =>
    context.maxCost !== undefined && file.identity.kind === 'orchestration' && needsProverTools(file, context),
  check(file, context, report) {
    if (file.identity.kind === 'agent') checkAgent(file, context, report);
    else if (context.maxCost !== undefined) checkOrchestration(file, context, context.maxCost, report);
  },
};

function checkAgent(file: ConfigFile, context: RuleContext, report: Report): void {
  const stack = layersOf(file, context);
  const budget = stack && findGiven(stack, 'budget', 'max_cost');
  if (!isWritten(budget) && context.maxCost === undefined) return;
  const found = worstCaseIn(file, context);
  if (found === undefined) return;
  const input_tokens = assumedIn(context);
  const basis = `Counted with an input of ${input_tokens} tokens.`;
  const data = { calls: found.calls, cost: found.cost, input_tokens };
  if (isWritten(budget) && typeof budget.value === 'number' && found.cost !== null && found.cost > budget.value) {
    report({
      ...placeOf(file, budget, 'The budget is given here.'),
      message: `A run may cost ${usd(found.cost)} (${callsOf(found)}), more than its budget of ${usd(budget.value)}: it may end with budget-exceeded before its answer. ${basis}`,
      data: { ...data, max_cost: budget.value },
    });
  }
  if (context.maxCost !== undefined) checkAllowed(found, context.maxCost, basis, data, report);
}

function checkAllowed(
  found: StaticWorstCase,
  allowed: number,
  basis: string,
  data: Readonly<Record<string, unknown>>,
  report: Report,
): void {
  const { limit } = found;
  if (limit === null) {
    const message = `What a run may cost is not known, since ${whyUnknown(found)}: it cannot be held against the ${usd(allowed)} of --max-cost. ${remedy}`;
    report({ pointer: '', message, data: { ...data, max_cost: allowed } });
    return;
  }
  if (limit <= allowed) return;
  const message = `A run may cost ${usd(limit)} (${callsOf(found)}), more than the ${usd(allowed)} of --max-cost. ${basis}`;
  report({ pointer: '', severity: 'error', message, data: { ...data, max_cost: allowed } });
}

/** An orchestration of which an agent is not there has other findings, and no worst case. */
function checkOrchestration(file: ConfigFile, context: RuleContext, allowed: number, report: Report): void {
  const bounds = boundsIn(file, context);
  if (bounds === undefined) return;
  const { run, executions, unknown } = bounds;
  const data = { executions, calls: run.calls, cost: run.cost, input_tokens: assumedIn(context), max_cost: allowed };
  if (run.limit === null) {
    for (const task of unknown.filter(({ worst }) => worst.limit === null)) {
      const message = `What the task ${shown(task.task)} of the team ${shown(task.team)} may cost is not known, since ${whyUnknown(task.worst, task)}: the orchestration cannot be held against the ${usd(allowed)} of --max-cost. ${remedy}`;
      report({ pointer: taskPointer(file, task), message, data: { ...data, team: task.team, task: task.task } });
    }
    return;
  }
  if (run.limit <= allowed) return;
  const teams = executions === 1 ? '1 team' : `${executions} teams`;
  const message = `A run may cost ${usd(run.limit)} (at most ${teams} and ${run.calls} ${run.calls === 1 ? 'call' : 'calls'}), more than the ${usd(allowed)} of --max-cost. ${dearestIn(bounds)}${basisWords(bounds)}`;
  report({ pointer: '', severity: 'error', message, data });
}

/** The team that adds the most. */
function dearestIn({ teams, executions }: OrchestrationBounds): string {
  const costOf = ({ executions: times, each }: OrchestrationBounds['teams'][number]) => times * (each.limit ?? 0);
  const [first] = teams.toSorted((left, right) => costOf(right) - costOf(left));
  if (first === undefined || executions < 2) return '';
  return `The dearest team is ${shown(first.team)}: ${usd(first.each.limit ?? 0)} each time, at most ${first.executions === 1 ? 'once' : `${first.executions} times`}. `;
}

function taskPointer({ value }: ConfigFile, { team, task }: TaskBound): string {
  const teams = isObject(value) && isObject(value.teams) ? value.teams : {};
  const written = Object.hasOwn(teams, team) ? teams[team] : undefined;
  const tasks = isObject(written) && Array.isArray(written.tasks) ? written.tasks : [];
  return pointerOf(
    'teams',
    team,
    'tasks',
    tasks.findIndex((one) => isObject(one) && one.name === task),
    'name',
  );
}

function whyUnknown({ unknown }: WorstCase, task?: TaskBound): string {
  const whose = task?.model_name === undefined ? 'its model' : shown(task.model_name);
  return unknown === 'price' ? `the price of ${whose} is unknown` : `the length of an answer${task ? ` of ${whose}` : ''} is unknown`;
}

const remedy = 'Give price in the llm profile, and max_output_tokens, or a budget.';

function assumedIn({ project }: RuleContext): number {
  return project.settings.assumed_input_tokens ?? assumedInput;
}

function callsOf({ calls }: StaticWorstCase): string {
  return `at most ${calls} ${calls === 1 ? 'call' : 'calls'}`;
}

function worstCaseIn(file: ConfigFile, context: RuleContext): StaticWorstCase | undefined {
  const resolved = context.effective(file);
  return staticWorstCase(createFacts(context.called(resolved), context.models, assumedIn(context))(resolved));
}
