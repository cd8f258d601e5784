import * as vscode from 'vscode';
import { createEvalWords } from '../../../core/eval/report/evalWords.js';
import type { EvalReport } from '../../../core/generated/types.js';
import type { CoveredCase } from '../../../core/project/coverage.js';
import type { EvalProject } from '../../../core/project/evalLoader.js';
import { startEval } from '../../../core/project/evals.js';
import type { Client } from '../../client.js';
import { lastEvalsOf } from '../../panels/evals/lastEvals.js';
import { openEvalProject } from '../../panels/evals/openEvalProject.js';
import { toSignal } from '../../ports/toSignal.js';
import { askInDialog } from '../run/askInDialog.js';
import { caseId } from './caseItems.js';
import { prepareEval } from './prepareEval.js';
import { showCoverage } from './showCoverage.js';
import { canBeAccepted, showOutcome } from './showOutcome.js';
import type { EvalOf } from './types.js';

/** Runs at the same time. */
const concurrency = 4;

/** Runs the chosen cases of one project, and shows each outcome as it comes. @throws Refusal, AgentStackError when nothing could run */
export async function runEvalOf(client: Client, evalOf: EvalOf): Promise<EvalReport | undefined> {
  const { folder, run, token } = evalOf;
  const { t } = vscode.l10n;
  const place: EvalProject = await openEvalProject(client, folder);
  const { cases, newEval: wanted } = await prepareEval(client, place, evalOf);
  if (cases.length === 0) return undefined;
  const items = new Map(cases.map((caseItem) => [caseId(caseItem.place), caseItem]));
  const covered: CoveredCase[] = [];
  client.tests.acceptable ??= new Set();
  const { acceptable } = client.tests;
  const pending = new Set(cases.map(({ item }) => item));
  const words = createEvalWords(t, vscode.env.language);
  const { signal, release } = toSignal(token);
  try {
    const report = await startEval(place, wanted, {
      concurrency,
      signal,
      approve: askInDialog(client, place.project, folder),
      onStart(planned) {
        const started = items.get(caseId(planned));
        if (started !== undefined) run.started(started.item);
      },
      onCase(planned, graded, runs) {
        const ended = items.get(caseId(planned));
        if (ended === undefined) return;
        pending.delete(ended.item);
        showOutcome(run, ended, client.cover.apply(graded), words, planned);
        if (graded.reasons.some((reason) => canBeAccepted(reason, graded, planned))) acceptable.add(ended.item.id);
        else acceptable.delete(ended.item.id);
        if (evalOf.mode === 'coverage') covered.push({ planned, runs });
        evalOf.onCase?.(planned, graded, runs);
      },
    });
    for (const graded of report.suites.flatMap((suite) => suite.cases)) {
      const carried = graded.state === 'carried' ? items.get(caseId(graded)) : undefined;
      if (carried === undefined) continue;
      pending.delete(carried.item);
      showOutcome(run, carried, client.cover.apply(graded), words);
    }
    for (const item of pending) run.skipped(item);
    if (evalOf.mode === 'coverage') await showCoverage(run, folder, place, covered);
    for (const line of [...words.warnings(report), `${folder.name}: ${words.totalsSentence(report)}`]) run.appendOutput(`${line}\r\n`);
    lastEvalsOf(client.tests).add(folder, report);
    if (evalOf.mode === 'compare')
      await vscode.commands.executeCommand('agentStack.showEvals', { root: folder.root, eval_id: report.eval_id });
    return report;
  } finally {
    release();
    void vscode.commands.executeCommand('setContext', 'agentStack.acceptableTests', [...acceptable]);
    await place.project.flush();
  }
}
