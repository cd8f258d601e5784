import { usdBoundText } from '../amounts.js';
import type { ConfigFile } from '../config/configFile.js';
import { isObject, listOf, pointerOf } from '../json.js';
import { countText } from '../llm/tokenText.js';
import type { WorstCase } from '../llm/worstCase.js';
import { assumedInput, type StaticFacts, type StaticWorstCase, staticWorstCase } from '../prompt/staticWorstCase.js';
import { schemaBound } from '../prompt/tokenBounds.js';
import { priceToPay } from '../prompt/worstCaseOf.js';
import { callsModel } from '../snapshot/effective.js';
import { instanceOf } from '../snapshot/snapshotValue.js';
import { quoted } from '../words.js';
import { findSetting, isWritten, layersOf, placeOf } from './facts/layers.js';
import { basisWords, boundsIn, createFacts, type OrchestrationBounds, type TaskBound } from './facts/orchestrationBounds.js';
import { needsProverTools } from './facts/routingProofs.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * The worst case of a run costs more than the agent's budget, so the run may end before its answer; a budget that no run can enforce, since a
 * price is unknown; or a cost that is above `check --max-cost` for a run of an agent or orchestration, or not known. Computed from the
 * files alone; input from outside counts as `assumed_input_tokens` of agentstack.json.
 */
export const costAboveBudget: Rule = {
  code: 'cost-above-budget',
  severity: 'warning',
  gravest: 'error',
  kinds: ['agent', 'orchestration'],
  on: 'value',
  needsSchemas: (file, context) =>
    context.maxCost !== undefined && file.identity.kind === 'orchestration' && needsProverTools(file, context),
  check(file, context, report) {
    if (file.identity.kind === 'agent') checkAgent(file, context, report);
    else {
      checkTaskBudgets(file, context, report);
      if (context.maxCost !== undefined) checkOrchestration(file, context, context.maxCost, report);
    }
  },
};

function checkAgent(file: ConfigFile, context: RuleContext, report: Report): void {
  const stack = layersOf(file, context);
  const budget = stack && findSetting(stack, 'budget', 'max_cost');
  if (!isWritten(budget) && context.maxCost === undefined) return;
  const resolved = context.effective(file);
  const facts = createFacts(context.called(resolved), context.models, assumedIn(context))(resolved);
  const worstCase = staticWorstCase(facts);
  if (worstCase === undefined) return;
  const input_tokens = assumedIn(context);
  const basis = `Counted with an input of ${countText(input_tokens)} tokens`;
  const data = { calls: worstCase.calls, cost: worstCase.cost, input_tokens };
  // A budget below 0 is reported by the schema.
  if (isWritten(budget) && typeof budget.value === 'number' && budget.value >= 0) {
    const unpriced = unpricedIn(facts);
    const usual = staticWorstCase(withUsualAnswers(facts));
    const place = placeOf(file, budget, 'The budget is given here.');
    if (unpriced !== undefined) {
      report({
        ...place,
        severity: 'error',
        message: `The budget of ${usdBoundText(budget.value)} cannot be enforced, since the price of ${quoted(unpriced)} is unknown: a run is refused, unless --allow-unpriced is given. ${priceRemedy}`,
        data: { ...data, max_cost: budget.value, model_name: unpriced },
      });
    } else if (usual && usual.cost !== null && usual.cost > budget.value) {
      const answers = longestAnswer(facts);
      report({
        ...place,
        message: `A run may cost ${usdBoundText(usual.cost)} (${callsOf(usual)}), more than its budget of ${usdBoundText(budget.value)}: an answer may be cut off, or the run may end with budget-exceeded before its answer. ${basis}${answers === undefined ? '' : ` and answers of up to ${countText(answers)} tokens`}.`,
        data: { ...data, cost: usual.cost, max_cost: budget.value },
      });
    }
  }
  if (context.maxCost !== undefined) checkAllowed(worstCase, context.maxCost, `${basis}.`, data, report);
}

function checkAllowed(
  worstCase: StaticWorstCase,
  allowed: number,
  basis: string,
  data: Readonly<Record<string, unknown>>,
  report: Report,
): void {
  const { limit } = worstCase;
  if (limit === null) {
    const message = `What a run may cost is not known, since ${whyUnknown(worstCase)}: it cannot be held against the ${usdBoundText(allowed)} of --max-cost. ${remedy}`;
    report({ pointer: '', message, data: { ...data, max_cost: allowed } });
    return;
  }
  if (limit <= allowed) return;
  const message = `A run may cost ${usdBoundText(limit)} (${callsOf(worstCase)}), more than the ${usdBoundText(allowed)} of --max-cost. ${basis}`;
  report({ pointer: '', severity: 'error', message, data: { ...data, max_cost: allowed } });
}

/** Tasks whose budget no run can enforce. A budget that comes from the agent file unchanged is reported there. */
function checkTaskBudgets(file: ConfigFile, context: RuleContext, report: Report): void {
  const { frozen, agents } = context.orchestration(file);
  const factsOf = createFacts(agents, context.models);
  for (const [team, { tasks }] of Object.entries(frozen.teams)) {
    for (const { name: task } of tasks) {
      const agent = agents.get(instanceOf(team, task));
      const max_cost = agent?.config.budget?.max_cost;
      if (agent === undefined || max_cost === undefined || !agent.files.includes(file.path)) continue;
      const unpriced = unpricedIn(factsOf(agent));
      if (unpriced === undefined) continue;
      report({
        pointer: taskPointer(file, { team, task }),
        severity: 'error',
        message: `The budget of ${usdBoundText(max_cost)} of the task ${quoted(task)} cannot be enforced, since the price of ${quoted(unpriced)} is unknown: a run is refused, unless --allow-unpriced is given. ${priceRemedy}`,
        data: { team, task, max_cost, model_name: unpriced },
      });
    }
  }
}

/** An orchestration with a missing agent has other findings, and no worst case. */
function checkOrchestration(file: ConfigFile, context: RuleContext, allowed: number, report: Report): void {
  const bounds = boundsIn(file, context);
  if (bounds === undefined) return;
  const { run, executions, unknown } = bounds;
  const data = { executions, calls: run.calls, cost: run.cost, input_tokens: assumedIn(context), max_cost: allowed };
  if (run.limit === null) {
    for (const task of unknown.filter(({ worst }) => worst.limit === null)) {
      const message = `What the task ${quoted(task.task)} of the team ${quoted(task.team)} may cost is not known, since ${whyUnknown(task.worst, task)}: the orchestration cannot be held against the ${usdBoundText(allowed)} of --max-cost. ${remedy}`;
      report({ pointer: taskPointer(file, task), message, data: { ...data, team: task.team, task: task.task } });
    }
    return;
  }
  if (run.limit <= allowed) return;
  const teams = executions === 1 ? '1 team' : `${executions} teams`;
  const message = `A run may cost ${usdBoundText(run.limit)} (at most ${teams} and ${run.calls} ${run.calls === 1 ? 'call' : 'calls'}), more than the ${usdBoundText(allowed)} of --max-cost. ${dearestIn(bounds)}${basisWords(bounds)}`;
  report({ pointer: '', severity: 'error', message, data });
}

/** A sentence about the team that adds the most to the cost. */
function dearestIn({ teams, executions }: OrchestrationBounds): string {
  const costOf = ({ executions: times, each }: OrchestrationBounds['teams'][number]) => times * (each.limit ?? 0);
  const [first] = teams.toSorted((left, right) => costOf(right) - costOf(left));
  if (first === undefined || executions < 2) return '';
  return `The most expensive team is ${quoted(first.team)}: ${usdBoundText(first.each.limit ?? 0)} each time, at most ${first.executions === 1 ? 'once' : `${first.executions} times`}. `;
}

function taskPointer({ value }: ConfigFile, { team, task }: Pick<TaskBound, 'team' | 'task'>): string {
  const teams = isObject(value) && isObject(value.teams) ? value.teams : {};
  const written = Object.hasOwn(teams, team) ? teams[team] : undefined;
  const tasks = isObject(written) && Array.isArray(written.tasks) ? written.tasks : [];
  return pointerOf(
    'teams',
    team,
    'tasks',
    tasks.findIndex((candidate) => isObject(candidate) && candidate.name === task),
    'name',
  );
}

function whyUnknown({ unknown }: WorstCase, task?: TaskBound): string {
  const whose = task?.model_name === undefined ? 'its model' : quoted(task.model_name);
  return unknown === 'price' ? `the price of ${whose} is unknown` : `the length of an answer${task ? ` of ${whose}` : ''} is unknown`;
}

const remedy = 'Give price in the llm profile, and max_output_tokens, or a budget.';
const priceRemedy = 'Give price in the llm profile, or under models in agentstack.json.';

function assumedIn({ project }: RuleContext): number {
  return project.settings.assumed_input_tokens ?? assumedInput;
}

function callsOf({ calls }: StaticWorstCase): string {
  return `at most ${calls} ${calls === 1 ? 'call' : 'calls'}`;
}

/** A model of unknown price that an agent, or an agent that its plan calls, uses. A model named by a variable is skipped: it is not known. */
function unpricedIn(facts: StaticFacts, seen = new Set<string>()): string | undefined {
  const { config, llm } = facts.resolved;
  const name = config.model_name;
  if (callsModel(config) && priceToPay(llm, facts.price) === undefined && name !== undefined && !name.includes('${')) return name;
  for (const { agent } of listOf(config.execution_plan?.steps).filter(isObject)) {
    if (typeof agent !== 'string' || seen.has(agent)) continue;
    seen.add(agent);
    const called = facts.called?.(agent);
    const unpriced = called && unpricedIn(called, seen);
    if (unpriced !== undefined) return unpriced;
  }
  return undefined;
}

/** Tokens of a typical long answer, where the config sets no limit. */
const usualAnswer = 4096;

/** Tokens of the longest answer that the worst case assumes; undefined for an agent that follows a plan. */
function longestAnswer({ resolved: { config }, model }: StaticFacts): number | undefined {
  const { agent_type, max_output_tokens, output_schema } = config;
  if (agent_type === 'orchestrating') return undefined;
  const most = Math.min(max_output_tokens ?? usualAnswer, model?.max_output_tokens ?? Number.POSITIVE_INFINITY);
  const bound = agent_type === 'single_shot' && output_schema ? schemaBound(output_schema, []) : undefined;
  return Math.min(most, bound ?? Number.POSITIVE_INFINITY);
}

/** A run limits each answer to the remaining budget, so a model's own limit does not count. */
function withUsualAnswers(facts: StaticFacts): StaticFacts {
  const { resolved, called } = facts;
  const max_output_tokens = longestAnswer(facts) ?? resolved.config.max_output_tokens ?? usualAnswer;
  return {
    ...facts,
    resolved: { ...resolved, config: { ...resolved.config, max_output_tokens } },
    called: (reference) => {
      const agent = called?.(reference);
      return agent && withUsualAnswers(agent);
    },
  };
}
