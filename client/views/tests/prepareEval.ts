import * as vscode from 'vscode';
import type { LoadedAgent } from '../../../core/agent/loadAgent.js';
import { Refused } from '../../../core/agent/refused.js';
import type { Agent } from '../../../core/agent/types.js';
import { findAgent } from '../../../core/config/agentReference.js';
import type { LoadedIndex } from '../../../core/config/loadProjectIndex.js';
import { evalWorstCase } from '../../../core/eval/evalWorstCase.js';
import { judgesOf } from '../../../core/eval/runner/judgesOf.js';
import type { PlannedCase } from '../../../core/eval/runner/plan.js';
import { selectCases } from '../../../core/eval/runner/selectCases.js';
import type { JsonObject } from '../../../core/json.js';
import { worstCaseWords } from '../../../core/llm/worstCase.js';
import type { EvalProject } from '../../../core/node/projectEvals.js';
import type { Services } from '../../services.js';
import { requireBudget } from '../run/requireBudget.js';
import { requireKey } from '../run/requireKey.js';
import { requireServers } from '../tools/requireServers.js';
import type { EvalOf } from './runEvalOf.js';
import type { CaseItem } from './tests.js';

/**
 * Before anything is asked: keys, servers, the budget of the day, and what all of it may cost. A case whose agent is not there is shown as such.
 *
 * @returns the cases that can be asked
 * @throws Refusal without a key or a server; CancellationError when the user does not want to pay
 */
export async function prepareEval(services: Services, place: EvalProject, asked: EvalOf): Promise<readonly CaseItem[]> {
  const { folder, run, cases, replay, isAgreed } = asked;
  const { project } = place;
  const index = await project.index();
  const isThere = ({ place: { subject } }: CaseItem) => index.versions(subject).length > 0 || index.ids('orchestration').has(subject);
  for (const { item, place: missing } of cases.filter((one) => !isThere(one)))
    run.errored(item, new vscode.TestMessage(vscode.l10n.t('There is no agent and no orchestration {0}.', missing.subject)));
  const found = cases.filter(isThere);
  if (found.length === 0 || replay !== undefined) return found;
  const wanted = new Set(found.map(({ place: { file, name } }) => `${file} ${name}`));
  const names = [...new Set(found.map(({ place: { subject } }) => subject))];
  const selected = await selectCases(index, project.ports.files, { names, tags: [] });
  const planned = selected.filter(({ file, name }) => wanted.has(`${file} ${name}`));
  const loaded = await loadAll(place, index, planned);
  const agents = new Set([...loaded.values()].flat());
  await requireBudget(services, folder, agents);
  if (!isAgreed) await agreeOnCost(planned, loaded);
  const servers: Record<string, JsonObject[string]> = {};
  for (const agent of agents) {
    await requireKey({ agent, project });
    Object.assign(servers, agent.resolved.servers);
  }
  await requireServers(services, folder, project, servers);
  return found;
}

/** The agents that each case may ask, its judges among them, by `loadKey`. One that cannot be loaded is left to the run, which says why. */
async function loadAll(
  { project, environment }: EvalProject,
  index: LoadedIndex,
  planned: readonly PlannedCase[],
): Promise<ReadonlyMap<string, readonly Agent[]>> {
  const all = new Map<string, readonly Agent[]>();
  const common = { index, environment_name: environment };
  const addAgent = async (name: string, version: string) => {
    const loaded = await project.load({ ...common, agent_name: name, version });
    all.set(`${name}@${version}`, loaded instanceof Refused ? [] : agentsOf(loaded));
  };
  for (const { kind, subject, version, expect } of planned) {
    const key = version === null ? subject : `${subject}@${version}`;
    if (!all.has(key)) {
      if (kind === 'agent' && version !== null) await addAgent(subject, version);
      else {
        const loaded = await project.loadOrchestration({ ...common, name: subject });
        all.set(key, loaded instanceof Refused ? [] : [...loaded.orchestration.agents.values()]);
      }
    }
    for (const reference of judgesOf(expect.map(({ entry }) => entry))) {
      const judge = findAgent(index, reference);
      if (judge !== undefined && !all.has(`${judge.name}@${judge.version}`)) await addAgent(judge.name, judge.version);
    }
  }
  return all;
}

function agentsOf({ agent }: LoadedAgent): readonly Agent[] {
  return [agent, ...(agent.agents?.values() ?? [])];
}

/** Asks what may be paid, unless it is nothing. @throws CancellationError */
async function agreeOnCost(planned: readonly PlannedCase[], loaded: ReadonlyMap<string, readonly Agent[]>): Promise<void> {
  const { t } = vscode.l10n;
  const worst = evalWorstCase(planned, loaded);
  if (worst.cost === 0) return;
  const run = t('Run');
  const question = planned.length === 1 ? t('Ask 1 case?') : t('Ask {0} cases?', planned.length);
  const detail = t('{0}. Answers that are shorter cost less.', worstCaseWords(worst, t, vscode.env.language));
  if ((await vscode.window.showInformationMessage(question, { modal: true, detail }, run)) !== run) throw new vscode.CancellationError();
}
