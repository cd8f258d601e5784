import type { ConfigFile } from '../config/configFile.js';
import { usd } from '../llm/worstCase.js';
import { assumedInput, type StaticWorstCase, staticWorstCase } from '../prompt/staticWorstCase.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { findGiven, isWritten, layersOf, placeOf } from './support/layers.js';

/**
 * The worst case of a run costs more than the agent's budget, so that the run may end before its answer; or more than `check --max-cost`
 * allows, or nobody knows what. Told from the files alone, with an input of `assumedInput` tokens.
 */
export const costAboveBudget: Rule = {
  code: 'cost-above-budget',
  severity: 'warning',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const stack = layersOf(file, context);
    const budget = stack && findGiven(stack, 'budget', 'max_cost');
    if (!isWritten(budget) && context.maxCost === undefined) return;
    const found = worstCaseIn(file, context);
    if (found === undefined) return;
    const data = { calls: found.calls, cost: found.cost, input_tokens: assumedInput };
    if (isWritten(budget) && typeof budget.value === 'number' && found.cost !== null && found.cost > budget.value) {
      report({
        ...placeOf(file, budget, 'The budget is given here.'),
        message: `A run may cost ${usd(found.cost)} (${callsOf(found)}), more than its budget of ${usd(budget.value)}: it may end with budget-exceeded before its answer. ${basis}`,
        data: { ...data, max_cost: budget.value },
      });
    }
    if (context.maxCost !== undefined) checkAllowed(found, context.maxCost, data, report);
  },
};

function checkAllowed(found: StaticWorstCase, allowed: number, data: Readonly<Record<string, unknown>>, report: Report): void {
  const { limit, unknown } = found;
  if (limit === null) {
    const what = unknown === 'price' ? 'the price of its model is unknown' : 'the length of an answer is unknown';
    const message = `What a run may cost is not known, since ${what}: it cannot be held against the ${usd(allowed)} of --max-cost. Give price in the llm profile, and max_output_tokens, or a budget.`;
    report({ pointer: '', message, data: { ...data, max_cost: allowed } });
    return;
  }
  if (limit <= allowed) return;
  const message = `A run may cost ${usd(limit)} (${callsOf(found)}), more than the ${usd(allowed)} of --max-cost. ${basis}`;
  report({ pointer: '', severity: 'error', message, data: { ...data, max_cost: allowed } });
}

const basis = `Counted with an input of ${assumedInput} tokens.`;

function callsOf({ calls }: StaticWorstCase): string {
  return `at most ${calls} ${calls === 1 ? 'call' : 'calls'}`;
}

function worstCaseIn(file: ConfigFile, context: RuleContext): StaticWorstCase | undefined {
  const resolved = context.effective(file);
  const { config, llm } = resolved;
  const model = context.models.find(config.model_name ?? '', llm.provider);
  return staticWorstCase({ resolved, model, price: llm.price ?? model?.price });
}
