import * as vscode from 'vscode';
import type { AgentEvent } from '../../../core/agent/events.js';
import { usdText } from '../../../core/amounts.js';
import { identifyFile } from '../../../core/config/paths.js';
import { forkReport, type ToldRun } from '../../../core/fork/forkReport.js';
import type { ForkPlace, ForkPlan, ForkRow, ForkShare } from '../../../core/generated/types.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { agentsOf } from '../../../core/project/evalLoader.js';
import type { Fork } from '../../../core/project/types.js';
import { causeWords } from '../../../core/run/changedSince.js';
import { findRunId } from '../../../core/run/findRun.js';
import { openEditorProject } from '../../editorProject.js';
import type { ComparedLine } from '../../panels/compare/messages.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import { toSignal } from '../../ports/toSignal.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { askInDialog } from '../run/askInDialog.js';
import { refuseUnsaved } from '../run/checkedRun.js';
import { requireParts } from '../run/requireParts.js';
import { requireSteps } from './keptSteps.js';
import { pickRun } from './pickRun.js';
import { readReference } from './reference.js';

/** The most forks of one command. */
const most = 20;

/**
 * Fork Run: runs a kept run again from the first request that the files of now change. Says first what is free, what is live and why, and what it
 * can cost; shows the run and its forks side by side.
 *
 * @returns the forks; undefined when the user cancelled, or no request changes
 */
export async function forkRun(services: Services & WithRuns, argument?: unknown): Promise<readonly RunReference[] | undefined> {
  const { t } = vscode.l10n;
  requireTrust();
  const reference =
    readReference(services, argument) ??
    (await debuggedRun(services)) ??
    (await pickRun(services, { title: t('Fork Run'), placeholder: t('Which run?'), isOffered: ({ isLive }) => !isLive }));
  if (reference === undefined) return undefined;
  const { folder, run_id } = reference;
  await requireSteps(reference, t('The steps of this run were not kept, so it cannot be forked.'));
  const project = await openEditorProject(services, folder, 'disk');
  const { settings } = await project.index();
  const again = () => vscode.commands.executeCommand('agentStack.forkRun', reference);
  refuseUnsaved(folder, (path) => identifyFile(path, settings) !== undefined, again);
  const fork = await project.fork({ run_id });
  const times = await ask(fork);
  if (times === undefined) return undefined;
  await requireParts(services, folder, project, agentsOf(fork.loaded));
  const forks = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Forking {0}', nameOf(fork)), cancellable: true },
    async (progress, token) => {
      const { signal, release } = toSignal(token);
      const told: ToldRun[] = [];
      try {
        while (told.length < times && !signal.aborted) {
          progress.report({ message: `${told.length + 1} / ${times}`, increment: 100 / times });
          told.push(await tell(fork.run({ signal, approve: askInDialog(services, project, folder) })));
        }
      } finally {
        release();
      }
      return told;
    },
  );
  services.runs.tellChange();
  if (forks.length === 0) return undefined;
  const { plan, kind, name, version, input } = fork;
  const original = await tell(fork.original());
  const { rows } = forkReport({ plan, kind, name, version, run_id, input, case: null, original, forks, record: null });
  const references = forks.map(({ result }): RunReference => ({ folder, run_id: result.run_id }));
  const { showComparison } = await import('../../panels/compare/showComparison.js');
  await showComparison(services, [reference, ...references], undefined, rows.map(toLine));
  return references;
}

/** The kept run that is shown in the debugger, or the one that is stopped in it. */
async function debuggedRun(services: Services & WithRuns): Promise<RunReference | undefined> {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== 'agent-stack') return undefined;
  const { run, project } = session.configuration;
  const root = String(project);
  const run_id = typeof run === 'string' ? await findRunId(createNodeFiles(root), run) : await stoppedRun(session);
  return typeof run_id === 'string' ? readReference(services, { root, run_id }) : undefined;
}

/** Its id; undefined while the run is not stopped. */
async function stoppedRun(session: vscode.DebugSession): Promise<string | undefined> {
  try {
    const { result } = (await session.customRequest('evaluate', { expression: 'run.run_id' })) as { readonly result: string };
    return result;
  } catch {
    return undefined;
  }
}

/** @returns how many forks; undefined for none */
async function ask(fork: Fork): Promise<number | undefined> {
  const { t } = vscode.l10n;
  const { plan } = fork;
  if (plan.places.length === 0) {
    const changed = plan.changes.length === 0 ? '' : ` ${t('Changed: {0}', changedWords(plan.changes))}`;
    throw new Refusal(`${t('There is nothing to fork: no request of {0} changes with the files of now.', nameOf(fork))}${changed}`);
  }
  const [once, several] = [t('Fork Once'), t('Fork Several Times...')];
  const question = t('Fork {0}?', nameOf(fork));
  const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail: planWords(plan).join('\n') }, once, several);
  if (chosen === undefined) return undefined;
  if (chosen === once) return 1;
  const isCount = (text: string) => /^[1-9]\d*$/.test(text.trim()) && Number(text) <= most;
  const written = await vscode.window.showInputBox({
    title: question,
    prompt: t('How often? {0} each.', costWords(plan)),
    value: '3',
    validateInput: (text) => (isCount(text) ? undefined : t('A number from 1 to {0}.', most)),
  });
  return written === undefined ? undefined : Number(written);
}

/** What is free, from where on it is live and why, and what it can cost. */
function planWords(plan: ForkPlan): readonly string[] {
  const { t } = vscode.l10n;
  const { free, live, may_follow, tools, places, config_known, secrets_masked } = plan;
  const again = tools.map(({ name, calls }) => (calls === 1 ? name : `${name} (${calls})`)).join(', ');
  return [
    t('Free, from the record: {0}', shareWords(free)),
    ...places.map(placeWords),
    t('In the record these were: {0}', shareWords(live)),
    ...(may_follow.model_calls > 0 ? [t('Live where their requests differ then: {0}', shareWords(may_follow))] : []),
    ...(tools.length > 0 ? [t('Called again: {0}', again)] : []),
    t('Cost: {0}', costWords(plan)),
    ...(config_known ? [] : [t('The config of the record is not known any more, so what has changed cannot be named.')]),
    ...(secrets_masked ? [t('The input has masked secrets, which the fork sends as they are.')] : []),
  ];
}

function placeWords({ agent, place, what, tool, model_call, differences, message, causes }: ForkPlace): string {
  const { t } = vscode.l10n;
  const where = place === '' ? agent : `${agent} (${place})`;
  const start =
    what === 'model'
      ? t('Live from model call {0} of {1}', model_call, where)
      : t('Live from {0} of {1}', what === 'tools' || tool === null ? t('the tools') : t('the call of {0}', tool), where);
  return `${start}: ${causes.length > 0 ? changedWords(causes) : (differences[0] ?? message)}`;
}

function changedWords(fields: Parameters<typeof causeWords>[0]): string {
  return causeWords(fields.map((field) => ({ ...field, is_certain: true })));
}

function shareWords({ model_calls, cost_usd }: ForkShare): string {
  const { t } = vscode.l10n;
  const cost = cost_usd === null ? t('cost unknown') : usdText(cost_usd, vscode.env.language);
  return model_calls === 1 ? t('1 model call, {0}', cost) : t('{0} model calls, {1}', model_calls, cost);
}

function costWords({ most_cost_usd }: ForkPlan): string {
  const { t } = vscode.l10n;
  return most_cost_usd === null ? t('not known') : t('at most {0}', usdText(most_cost_usd, vscode.env.language));
}

function nameOf({ name, version }: Pick<Fork, 'name' | 'version'>): string {
  return version === null ? name : `${name}@${version}`;
}

async function tell(source: AsyncIterable<AgentEvent> | Promise<readonly AgentEvent[]>): Promise<ToldRun> {
  const events: AgentEvent[] = [];
  for await (const event of await source) events.push(event);
  const last = events.at(-1);
  if (!last?.final) throw new Error('The run ended without a final event');
  return { events, result: last.result };
}

/** A step of the run and of its forks, side by side. */
function toLine({ place, step, name, is_equal, is_live, cells }: ForkRow): ComparedLine {
  const { t } = vscode.l10n;
  const label = [place, name ?? t('Step {0}', step)].filter(Boolean).join(' · ');
  return {
    part: 'steps',
    label: is_live ? t('{0}, live from here on', label) : label,
    cells: cells.map(
      (cell) =>
        cell && [...cell.calls.map(({ name: tool, input }) => `${tool} ${JSON.stringify(input)}`), cell.text].filter(Boolean).join('\n'),
    ),
    changes: [],
    differs: !is_equal,
  };
}
