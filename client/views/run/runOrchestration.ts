import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { orchestrationInputs } from '../../../core/config/orchestrationParts.js';
import { isObject, type JsonObject } from '../../../core/json.js';
import { done } from '../../done.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import { chooseOrchestration } from '../../panels/graph/showGraph.js';
import { isRecordingChoice } from '../../panels/run/recordings.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RecordingChoice } from '../../panels/run/types.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { checkedOrchestration } from './checkedRun.js';
import { chooseContext } from './chooseContext.js';
import { readCase } from './readCase.js';
import type { planTeamRun } from './runPlans.js';
import { follow, prepareTeamRun } from './startRun.js';

/** What a caller has decided already. The user chooses the rest. */
interface Argument {
  readonly input?: JsonObject;
  /** The name of a payload file of the orchestration, instead of `input`. */
  readonly case?: string;
  readonly llm?: string;
  readonly recording?: RecordingChoice;
}

/**
 * Run Orchestration: from the palette, a lens, the graph, a menu (with a Uri) or a tree (with an item that has a `uri`); with `input` or `case`
 * too it asks nothing. Ends when the run does.
 *
 * @returns undefined when the user cancelled
 */
export async function runOrchestration(services: Services & WithGraphs & WithRuns, argument?: unknown): Promise<RunResult | undefined> {
  return (await prepareOrchestration(services, argument))?.();
}

/** Asks and checks everything that comes before a run; what it returns runs. Undefined when the user cancelled. */
export async function prepareOrchestration(
  services: Services & WithGraphs & WithRuns,
  argument?: unknown,
): Promise<(() => Promise<RunResult>) | undefined> {
  requireTrust();
  const file = await chooseOrchestration(services, argument);
  if (file === undefined) return undefined;
  const { folder, name, path, uri } = file;
  const runArgument = readArgument(argument);
  const again = () => vscode.commands.executeCommand('agentStack.runOrchestration', { uri, ...runArgument });
  // What cannot run is refused before anything is asked.
  const checked = await checkedOrchestration(services, { folder, orchestration: name, llm: runArgument.llm }, path, again);
  const input = runArgument.case === undefined ? runArgument.input : await readCase(services, folder, name, runArgument.case, again);
  if (input !== undefined)
    return prepared(services, checked, { folder, orchestration: name, input, llm: runArgument.llm, recording: runArgument.recording });
  const index = await checked.project.index();
  const profiles = [...index.ids('llm').keys()].map((id) => ({ id, provider: index.value('llm', id)?.provider }));
  const prefix = `${name}/`;
  const { frozen, checkInput } = checked.orchestration;
  const chosen = await chooseContext({
    name,
    cases: [...index.ids('payload').keys()].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length)),
    readCase: (caseName) => readCase(services, folder, name, caseName, again),
    context: frozen.context,
    required: orchestrationInputs(frozen).flatMap((key) => (key.isRequired ? [key.name] : [])),
    isWhole: checkInput({}).length === 0,
    profiles,
    memory: services.memory,
    root: folder.root,
  });
  if (chosen === undefined) return undefined;
  const choice = { folder, orchestration: name, recording: runArgument.recording, ...chosen };
  const ready = chosen.llm === undefined ? checked : await checkedOrchestration(services, choice, path, again);
  return prepared(services, ready, choice);
}

async function prepared(
  services: Services & WithGraphs & WithRuns,
  ...[checked, choice]: Parameters<typeof planTeamRun>
): Promise<() => Promise<RunResult>> {
  const plan = await prepareTeamRun(services, checked, choice);
  return async () => {
    const result = await follow(services, plan);
    if (result.success) done('orchestration');
    return result;
  };
}

function readArgument(argument: unknown): Argument {
  if (typeof argument !== 'object' || argument === null) return {};
  const { input, case: name, llm, recording } = argument as { readonly [key in keyof Argument]: unknown };
  return {
    ...(isObject(input) && { input }),
    ...(typeof name === 'string' && { case: name }),
    ...(typeof llm === 'string' && { llm }),
    ...(isRecordingChoice(recording) && { recording }),
  };
}
