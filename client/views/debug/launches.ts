import { basename, join, resolve } from 'node:path';
import * as vscode from 'vscode';
import { splitAgentReference } from '../../../core/config/agentReference.js';
import { identifyFile, pathOf } from '../../../core/config/paths.js';
import { firstCase, type LaunchArguments } from '../../../core/debug/launch.js';
import { runsFolder } from '../../../core/run/readRuns.js';
import { openEditorProject } from '../../editorProject.js';
import { teamPayload } from '../../panels/graph/graphFile.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunChoice, RunReference } from '../../panels/run/types.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import { reportFailure } from '../../reportFailure.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { checkedAgent, checkedOrchestration } from '../run/checkedRun.js';
import { chooseRecording } from '../run/chooseRecording.js';
import { readCase } from '../run/readCase.js';
import { requireParts } from '../run/requireParts.js';
import { requireSteps } from '../runs/keptSteps.js';
import { pickRun } from '../runs/pickRun.js';
import { readReference } from '../runs/reference.js';
import { choiceOf, teamChoiceOf } from '../runs/runAgain.js';

type Launch = vscode.DebugConfiguration & LaunchArguments;
type Subject = Pick<LaunchArguments, 'agent' | 'orchestration' | 'case' | 'input' | 'llm' | 'project' | 'recording' | 'run'>;

/** A file of a kept run. */
const keptRun = new RegExp(`^${runsFolder.replace('.', '\\.')}/([^/]+)/`);

/** A launch that names nothing to debug, as F5 without launch.json does, takes the open file. @returns undefined when it was refused */
export function completeLaunch(services: Services, config: vscode.DebugConfiguration & LaunchArguments): Promise<Launch | undefined> {
  return orRefusal(services, async () => {
    const { agent, orchestration, run, recording } = config;
    if ([agent, orchestration, run, recording].some((subject) => subject !== undefined)) return config;
    const file = vscode.window.activeTextEditor?.document.uri;
    const subject = file && (await subjectOf(services, file));
    if (subject === undefined)
      throw new Refusal(
        vscode.l10n.t(
          'Nothing to debug: open an agent, one of its payloads, an orchestration or a recording, or name one in launch.json as {0} or {1}.',
          '"agent"',
          '"orchestration"',
        ),
      );
    const { case: caseName, ...owner } = subject;
    const chosen: Subject = config.input !== undefined || caseName === undefined ? owner : subject;
    const name = [nameOf(owner), chosen.case].filter((part) => part !== undefined).join(' / ');
    // F5 gives no type, request and name, and a launch.json its own.
    return { stopBefore: ['model'], ...chosen, ...config, type: 'agent-stack', request: 'launch', name: config.name || name };
  });
}

/**
 * Checks what a run in its panel checks: trust, unsaved files, the input, keys, servers and the budget of the day. A recording and a kept run need none of it.
 *
 * @returns undefined when it was refused
 */
export function checkLaunch(
  services: Services,
  workspaceFolder: vscode.WorkspaceFolder | undefined,
  config: vscode.DebugConfiguration & LaunchArguments,
): Promise<Launch | undefined> {
  return orRefusal(services, async () => {
    const { agent, orchestration, llm, recording, run } = config;
    if (recording === undefined && run === undefined)
      requireTrust(vscode.l10n.t('In a workspace you do not trust, only recordings are debugged: a run sends its files to a model.'));
    const folder = await projectFor(services, config.project, workspaceFolder);
    const launch = { ...config, project: folder.root };
    if (run !== undefined) return launch;
    if (recording !== undefined) return { ...launch, recording: resolve(folder.root, recording) };
    // The debugger says what is wrong with it.
    if ((agent === undefined) === (orchestration === undefined)) return launch;
    const again = () => vscode.debug.startDebugging(workspaceFolder, config);
    const index = await (await openEditorProject(services, folder, 'disk')).index();
    const { name: agent_name, version = index.versions(agent_name).at(-1) ?? '' } = splitAgentReference(agent ?? '');
    if (orchestration === undefined) {
      const checked = await checkedAgent(services, { folder, agent_name, version, llm }, again);
      await requireParts(services, folder, checked.project, [checked.agent], [checked.agent, ...(checked.agent.agents?.values() ?? [])]);
    } else {
      const path = pathOf('orchestration', orchestration, index.settings);
      const checked = await checkedOrchestration(services, { folder, orchestration, llm }, path, again);
      await requireParts(services, folder, checked.project, [...checked.orchestration.agents.values()]);
    }
    if (config.case === undefined || config.input !== undefined) return launch;
    return { ...launch, input: await readCase(services, folder, orchestration ?? agent_name, config.case, again) };
  });
}

/** The project of a launch: the one it names, else that of the open file, else of its folder, else the only one. @throws Refusal without one */
export async function projectFor(
  { projects }: Services,
  project: string | undefined,
  workspaceFolder?: vscode.WorkspaceFolder,
): Promise<ProjectFolder> {
  const base = (workspaceFolder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
  const at = (path: string) => projects.of(vscode.Uri.file(join(path, 'agentstack.json')));
  if (project !== undefined) {
    const named = at(resolve(base ?? '', project));
    if (named === undefined) throw new Refusal(vscode.l10n.t('{0} is in no project.', project));
    return named;
  }
  const open = vscode.window.activeTextEditor?.document.uri;
  const near = (open && projects.of(open)) ?? (base === undefined ? undefined : at(base));
  if (near !== undefined) return near;
  const [only, ...others] = await projects.list();
  if (only !== undefined && others.length === 0) return only;
  throw new Refusal(vscode.l10n.t('Which project? Open one of its files, or name its folder in launch.json as {0}.', '"project"'));
}

/**
 * Debug Run: replays a kept run at the debugger's stops, with the config that it had.
 *
 * @returns whether it began; undefined when the user cancelled
 */
export async function debugRun(services: Services & WithRuns, argument?: unknown): Promise<boolean | undefined> {
  const { t } = vscode.l10n;
  const reference =
    readReference(services, argument) ??
    (await pickRun(services, { title: t('Debug Run'), placeholder: t('Which run?'), isOffered: ({ isLive }) => !isLive }));
  if (reference === undefined) return undefined;
  const { folder, run_id: run } = reference;
  await requireSteps(reference, t('The steps of this run were not kept, so it cannot be debugged as it was.'), {
    title: t('Debug with the Files of Now'),
    run: async () => start(folder, await sameCall(reference)),
  });
  return start(folder, { project: folder.root, run });
}

/** A new run of the same, which asks models. */
async function sameCall(reference: RunReference): Promise<Subject> {
  const project = reference.folder.root;
  const team = await teamChoiceOf(reference);
  const llmOf = ({ llm }: Pick<RunChoice, 'llm'>) => (llm === undefined ? {} : { llm });
  if (team !== undefined) return { project, orchestration: team.orchestration, input: team.input, ...llmOf(team) };
  const { agent_name, version, payload, ...choice } = await choiceOf(reference);
  return { project, agent: `${agent_name}@${version}`, input: payload, ...llmOf(choice) };
}

/** Debug Recording: the same for a recording, with the files as they are now. */
export async function debugRecording(services: Services, argument?: unknown): Promise<boolean | undefined> {
  const chosen = await chooseRecording(services, argument);
  return chosen && start(chosen.folder, { project: chosen.folder.root, recording: chosen.path });
}

async function start({ uri }: ProjectFolder, subject: Subject): Promise<boolean> {
  const launch = { type: 'agent-stack', request: 'launch', name: nameOf(subject), stopBefore: ['model', 'tool', 'route'], ...subject };
  return vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), launch);
}

function nameOf({ agent, orchestration, recording, run }: Subject): string {
  const { t } = vscode.l10n;
  if (run !== undefined) return t('Run: {0}', run);
  return agent ?? orchestration ?? t('Recording: {0}', basename(recording ?? ''));
}

/** What a file of a project is debugged as; undefined for a file that nothing can run. */
async function subjectOf(services: Services, uri: vscode.Uri): Promise<Subject | undefined> {
  const folder = services.projects.of(uri);
  const path = folder?.pathOf(uri);
  if (folder === undefined || path === undefined) return undefined;
  if (path.endsWith('.jsonl')) {
    const project = folder.root;
    const run = keptRun.exec(path)?.[1];
    return run === undefined ? { project, recording: path } : { project, run };
  }
  const project = await openEditorProject(services, folder, 'disk');
  const identity = identifyFile(path, (await project.index()).settings);
  const at = { project: folder.root };
  if (identity?.kind === 'payload') {
    if (identity.agent === undefined) return undefined;
    const owner = (await teamPayload(services, uri)) ? { orchestration: identity.agent } : { agent: identity.agent };
    return { ...at, ...owner, case: identity.name };
  }
  if (identity?.kind !== 'agent' && identity?.kind !== 'orchestration') return undefined;
  const { name, version } = identity;
  const first = await firstCase(project, name);
  const owner =
    identity.kind === 'orchestration' ? { orchestration: name } : { agent: version === undefined ? name : `${name}@${version}` };
  return { ...at, ...owner, ...(first !== undefined && { case: first }) };
}

/** A refusal is shown; the debugger waits for no answer to it. */
async function orRefusal(services: Services, work: () => Promise<Launch>): Promise<Launch | undefined> {
  try {
    return await work();
  } catch (error) {
    void reportFailure(services, 'F5', error);
    return undefined;
  }
}
