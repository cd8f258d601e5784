import type { PlannedVerdict } from '../baseline/planVerdicts.js';
import type { PlannedCase } from '../runner/plan.js';
import type { CaseReport } from './evalReport.js';
import { factsOf } from './reportCase.js';

/** A case that was not asked: its passes are those of the baseline, and enough of them have to be there as of any other. */
export function carriedCase(planned: PlannedCase, { key, state, before }: PlannedVerdict): CaseReport {
  if (before === null) throw new Error('A carried case has no verdict before it.');
  const { pointer, pass_rate } = planned;
  const { passes, repeats, date, simulated } = before;
  const outcome = passes >= Math.ceil(pass_rate * repeats - 1e-9) ? 'passed' : 'failed';
  const reason = () =>
    `Carried over: ${passes} of ${repeats} ${repeats === 1 ? 'run' : 'runs'} passed on ${date}, and nothing has changed since.`;
  return {
    ...factsOf(planned, { outcome, simulated, passes, judged: repeats, repeats }),
    mean_cost_usd: before.cost_usd,
    mean_latency_ms: null,
    input_tokens: 0,
    output_tokens: 0,
    key,
    before,
    state,
    reasons: outcome === 'failed' ? [{ pointer, outcome, reason: reason(), repeats: repeats - passes }] : [],
    runs: [],
  };
}
