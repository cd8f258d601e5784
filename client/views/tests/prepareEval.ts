import * as vscode from 'vscode';
import type { Agent } from '../../../core/agent/types.js';
import type { LoadedIndex } from '../../../core/config/loadProjectIndex.js';
import { pathOf } from '../../../core/config/paths.js';
import { expectationsOf } from '../../../core/eval/readCases.js';
import { judgesOf, type PlannedCase } from '../../../core/eval/runner/plan.js';
import { selectCases } from '../../../core/eval/runner/selectCases.js';
import { isLegalName } from '../../../core/kinds.js';
import { worstCaseWords } from '../../../core/llm/worstCase.js';
import { agentsOf, createLoader, type EvalProject } from '../../../core/project/evalLoader.js';
import { estimateEval, type NewEval } from '../../../core/project/evals.js';
import type { EvalForecast } from '../../../core/project/planEval.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireParts } from '../run/requireParts.js';
import { caseId, hasSubject } from './caseItems.js';
import type { CaseItem, EvalOf } from './types.js';

export interface PreparedEval {
  /** Those that can run. */
  readonly cases: readonly CaseItem[];
  readonly newEval: NewEval;
}

/**
 * Checks before anything runs: keys, servers, the budget of the day, and the cost of it all. A case whose agent is missing is shown as such; one
 * that is to be compared and has no baseline is skipped.
 *
 * @throws Refusal without a key, a server or a baseline; CancellationError when the user does not want to pay
 */
export async function prepareEval(services: Services, place: EvalProject, evalOf: EvalOf): Promise<PreparedEval> {
  const { folder, run, replay, mode, isAgreed } = evalOf;
  const { project } = place;
  const index = await project.index();
  const listed: CaseItem[] = [];
  for (const caseItem of evalOf.cases) {
    if (hasSubject(index, caseItem)) listed.push(caseItem);
    else
      run.errored(
        caseItem.item,
        new vscode.TestMessage(vscode.l10n.t('There is no agent and no orchestration {0}.', caseItem.place.subject)),
      );
  }
  const isCompared = ({ place: { subject } }: CaseItem) => mode !== 'compare' || index.ids('baseline').has(subject);
  const cases = listed.filter(isCompared);
  for (const { item } of listed.filter((caseItem) => !isCompared(caseItem))) run.skipped(item);
  if (listed.length > 0 && cases.length === 0) throw noBaseline(folder, index, listed);
  const names = [...new Set(cases.map(({ place: { subject } }) => subject))];
  const chosen = new Set(cases.map((caseItem) => caseId(caseItem.place)));
  const only = (planned: PlannedCase) => chosen.has(caseId(planned));
  const plainEval = { names, tags: [], only, llms: [], replay };
  if (cases.length === 0 || replay !== undefined) return { cases, newEval: plainEval };
  const plannedEval: NewEval = mode === 'compare' ? { ...plainEval, against: { source: baselinesFolder(index) } } : plainEval;
  const forecast = isAgreed ? undefined : await estimateEval(place, plannedEval);
  // All verdicts are carried over.
  if (forecast?.worst_case.calls === 0) return { cases, newEval: plannedEval };
  const agents = await loadAll(place, index, (await selectCases(index, project.ports.files, plannedEval)).filter(only));
  if (forecast !== undefined) await agreeOnCost(forecast);
  await requireParts(services, folder, project, [...agents]);
  return { cases, newEval: plannedEval };
}

/** The agents that cases may ask, judges among them. One that cannot be loaded is left to the run, which says why. */
async function loadAll(place: EvalProject, index: LoadedIndex, planned: readonly PlannedCase[]): Promise<ReadonlySet<Agent>> {
  const loader = createLoader(place, index);
  const agents = new Set<Agent>();
  for (const plannedCase of planned) {
    const judges = judgesOf(expectationsOf(plannedCase)).flatMap((reference) => loader.judgeOf(reference) ?? []);
    for (const subject of [plannedCase, ...judges]) for (const agent of agentsOf(await loader.load(subject, null))) agents.add(agent);
  }
  return agents;
}

/** Asks what may be paid, unless it is nothing. @throws CancellationError */
async function agreeOnCost({ counts, compared, worst_case: worst }: EvalForecast): Promise<void> {
  const { t } = vscode.l10n;
  if (worst.cost === 0) return;
  const run = t('Run');
  const callCount = counts.total - counts.carried;
  const question = callCount === 1 ? t('Ask 1 case?') : t('Ask {0} cases?', callCount);
  const detail = [
    t('{0}. Answers that are shorter cost less.', worstCaseWords(worst, t, vscode.env.language)),
    ...(compared ? [t('{0} of {1} verdicts of the baseline still hold and are not asked for again.', counts.carried, counts.total)] : []),
  ].join('\n');
  if ((await vscode.window.showInformationMessage(question, { modal: true, detail }, run)) !== run) throw new vscode.CancellationError();
}

/** Project path of the baselines as the files have them now. */
function baselinesFolder({ settings }: Pick<LoadedIndex, 'settings'>): string {
  const path = pathOf('baseline', 'any', settings);
  return path.slice(0, path.lastIndexOf('/'));
}

/** None of these cases has anything to be compared with. */
function noBaseline({ root }: ProjectFolder, { settings }: Pick<LoadedIndex, 'settings'>, [first]: readonly CaseItem[]): Refusal {
  const subject = first?.place.subject ?? '';
  const path = pathOf('baseline', subject, settings);
  const { t } = vscode.l10n;
  const message = t(
    'There is no baseline to compare with: {0} is missing. Write one with: agent-stack eval {1} --save-baseline',
    path,
    subject,
  );
  const openTerminal = () => {
    const terminal = vscode.window.createTerminal({ name: 'Agent Stack', cwd: root });
    terminal.show();
    // Not run yet: it asks models.
    terminal.sendText(`npx agent-stack eval ${subject} --save-baseline`, false);
  };
  return new Refusal(message, isLegalName(subject) ? [{ title: t('Open in Terminal'), run: openTerminal }] : []);
}
