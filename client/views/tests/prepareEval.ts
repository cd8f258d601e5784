import * as vscode from 'vscode';
import type { LoadedAgent } from '../../../core/agent/loadAgent.js';
import { Refused } from '../../../core/agent/refused.js';
import type { Agent } from '../../../core/agent/types.js';
import { findAgent } from '../../../core/config/agentReference.js';
import type { LoadedIndex } from '../../../core/config/loadProjectIndex.js';
import { judgesOf } from '../../../core/eval/runner/judgesOf.js';
import type { PlannedCase } from '../../../core/eval/runner/plan.js';
import { selectCases } from '../../../core/eval/runner/selectCases.js';
import type { JsonObject } from '../../../core/json.js';
import { worstCaseWords } from '../../../core/llm/worstCase.js';
import type { EvalForecast } from '../../../core/node/planEval.js';
import { type EvalProject, estimateEval, type NewEval } from '../../../core/node/projectEvals.js';
import type { Services } from '../../services.js';
import { requireBudget } from '../run/requireBudget.js';
import { requireKey } from '../run/requireKey.js';
import { requireServers } from '../tools/requireServers.js';
import { baselinesFolder, noBaseline } from './ownBaselines.js';
import type { EvalOf } from './runEvalOf.js';
import type { CaseItem } from './tests.js';

export interface PreparedEval {
  /** Those that can be asked. */
  readonly cases: readonly CaseItem[];
  readonly wanted: NewEval;
}

/**
 * Before anything is asked: keys, servers, the budget of the day, and what all of it may cost. A case whose agent is not there is shown as such; one
 * that is to be compared and has no baseline is skipped.
 *
 * @throws Refusal without a key, a server or a baseline; CancellationError when the user does not want to pay
 */
export async function prepareEval(services: Services, place: EvalProject, asked: EvalOf): Promise<PreparedEval> {
  const { folder, run, replay, mode, isAgreed } = asked;
  const { project } = place;
  const index = await project.index();
  const isThere = ({ place: { subject } }: CaseItem) => index.versions(subject).length > 0 || index.ids('orchestration').has(subject);
  for (const { item, place: missing } of asked.cases.filter((one) => !isThere(one)))
    run.errored(item, new vscode.TestMessage(vscode.l10n.t('There is no agent and no orchestration {0}.', missing.subject)));
  const there = asked.cases.filter(isThere);
  const isCompared = ({ place: { subject } }: CaseItem) => mode !== 'compare' || index.ids('baseline').has(subject);
  const cases = there.filter(isCompared);
  for (const { item } of there.filter((one) => !isCompared(one))) run.skipped(item);
  if (there.length > 0 && cases.length === 0) throw noBaseline(index, there);
  const names = [...new Set(cases.map(({ place: { subject } }) => subject))];
  const chosen = new Set(cases.map(({ place: { file, name } }) => `${file} ${name}`));
  const only = ({ file, name }: PlannedCase) => chosen.has(`${file} ${name}`);
  const own = { names, tags: [], only, llms: [], replay };
  if (cases.length === 0 || replay !== undefined) return { cases, wanted: own };
  const wanted: NewEval = mode === 'compare' ? { ...own, against: { source: baselinesFolder(index), cwd: place.root } } : own;
  const forecast = isAgreed ? undefined : await estimateEval(place, wanted);
  // All verdicts are carried over.
  if (forecast?.worst_case.calls === 0) return { cases, wanted };
  const agents = await loadAll(place, index, (await selectCases(index, project.ports.files, wanted)).filter(only));
  await requireBudget(services, folder, agents);
  if (forecast !== undefined) await agreeOnCost(forecast);
  const servers: Record<string, JsonObject[string]> = {};
  for (const agent of agents) {
    await requireKey({ agent, project });
    Object.assign(servers, agent.resolved.servers);
  }
  await requireServers(services, folder, project, servers);
  return { cases, wanted };
}

/** The agents that cases may ask, judges among them. One that cannot be loaded is left to the run, which says why. */
async function loadAll(
  { project, environment }: EvalProject,
  index: LoadedIndex,
  planned: readonly PlannedCase[],
): Promise<ReadonlySet<Agent>> {
  const known = new Set<string>();
  const agents = new Set<Agent>();
  const common = { index, environment_name: environment };
  const add = async (name: string, version: string | null) => {
    const key = JSON.stringify([name, version]);
    if (known.has(key)) return;
    known.add(key);
    const loaded =
      version === null
        ? await project.loadOrchestration({ ...common, name })
        : await project.load({ ...common, agent_name: name, version });
    if (loaded instanceof Refused) return;
    for (const agent of 'orchestration' in loaded ? loaded.orchestration.agents.values() : agentsOf(loaded)) agents.add(agent);
  };
  for (const { subject, version, expect } of planned) {
    await add(subject, version);
    for (const reference of judgesOf(expect.map(({ entry }) => entry))) {
      const judge = findAgent(index, reference);
      if (judge !== undefined) await add(judge.name, judge.version);
    }
  }
  return agents;
}

function agentsOf({ agent }: LoadedAgent): readonly Agent[] {
  return [agent, ...(agent.agents?.values() ?? [])];
}

/** Asks what may be paid, unless it is nothing. @throws CancellationError */
async function agreeOnCost({ counts, compared, worst_case: worst }: EvalForecast): Promise<void> {
  const { t } = vscode.l10n;
  if (worst.cost === 0) return;
  const run = t('Run');
  const asked = counts.total - counts.carried;
  const question = asked === 1 ? t('Ask 1 case?') : t('Ask {0} cases?', asked);
  const detail = [
    t('{0}. Answers that are shorter cost less.', worstCaseWords(worst, t, vscode.env.language)),
    ...(compared ? [t('{0} of {1} verdicts of the baseline still hold and are not asked for again.', counts.carried, counts.total)] : []),
  ].join('\n');
  if ((await vscode.window.showInformationMessage(question, { modal: true, detail }, run)) !== run) throw new vscode.CancellationError();
}
