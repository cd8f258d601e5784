import * as vscode from 'vscode';
import { type EvalWords, percent } from '../../../core/eval/report/evalWords.js';
import type { PlannedCase } from '../../../core/eval/runner/plan.js';
import { canAccept } from '../../../core/eval/suggestExpect.js';
import type { CaseReport, ReasonReport } from '../../../core/generated/types.js';
import type { Json } from '../../../core/json.js';
import type { CaseItem } from './types.js';

/** Reasons of one case that become messages in its file. */
const mostReasons = 20;

/** The context value of messages whose actual value can be accepted. */
export const acceptable = 'agentStack.acceptable';

/** Shows the outcome of a case. One that could not run is an error or skipped, never a failure. @param planned the case as it was asked */
export function showOutcome(
  run: vscode.TestRun,
  { item, place }: CaseItem,
  report: CaseReport,
  words: EvalWords,
  planned?: Pick<PlannedCase, 'turns'>,
): void {
  const duration = report.mean_latency_ms ?? undefined;
  item.description = rateText(report, words);
  const parts = [words.outcomeWord(report.outcome, report), words.caseRate(report), ...(report.replayed ? [words.t('replayed')] : [])];
  run.appendOutput(`${place.name}: ${parts.join(', ')}\r\n`, undefined, item);
  if (report.outcome === 'passed') {
    run.passed(item, duration);
    return;
  }
  const messages = report.reasons.slice(0, mostReasons).map((reason) => toMessage(reason, { item, place }, report, planned));
  if (report.outcome === 'failed') run.failed(item, messages, duration);
  else if (report.runs.length === 0) run.skipped(item);
  else run.errored(item, messages, duration);
}

/** `7/10, 95 % 40–89 %`; of simulated and of replayed answers that they are. */
export function rateText({ passes, judged, repeats, interval, simulated, replayed }: CaseReport, { t }: Pick<EvalWords, 't'>): string {
  if (simulated) return t('simulated');
  const parts = [
    ...(replayed ? [t('replayed')] : []),
    ...(repeats === 1 || judged === 0 ? [] : [`${passes}/${judged}`]),
    ...(repeats === 1 || judged === 0 || interval === null ? [] : [`95 % ${percent(interval.low)}–${percent(interval.high)} %`]),
  ];
  return parts.join(', ');
}

/** Whether the actual value may become the expected one: never one that the offline provider made up. */
export function canBeAccepted(
  { outcome, actual, pointer }: ReasonReport,
  { simulated }: Pick<CaseReport, 'simulated'>,
  planned: Pick<PlannedCase, 'turns'>,
): boolean {
  if (outcome !== 'failed' || actual === undefined || simulated) return false;
  const expectation = planned.turns.flatMap(({ expect }) => expect).find((each) => each.pointer === pointer);
  return canAccept(expectation?.entry, actual);
}

function toMessage(
  reason: ReasonReport,
  { item, place }: CaseItem,
  report: CaseReport,
  planned: Pick<PlannedCase, 'turns'> | undefined,
): vscode.TestMessage {
  const { repeats } = report;
  const times = repeats > 1 ? ` (${vscode.l10n.t('{0} of {1} runs', reason.repeats, repeats)})` : '';
  const text = `${reason.reason}${times}`;
  const isCompared = reason.wanted !== undefined && reason.actual !== undefined;
  const message = isCompared
    ? vscode.TestMessage.diff(text, pretty(reason.wanted ?? null), pretty(reason.actual ?? null))
    : new vscode.TestMessage(text);
  const range = place.rangeOf(reason.pointer) ?? item.range;
  if (item.uri !== undefined && range !== undefined) message.location = new vscode.Location(item.uri, range);
  if (planned !== undefined && canBeAccepted(reason, report, planned)) message.contextValue = acceptable;
  return message;
}

function pretty(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
