import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { isObject, type JsonObject } from '../../../core/json.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import type { WithGraphs } from '../graph/graphLoader.js';
import { chooseOrchestration } from '../graph/showGraph.js';
import { checkedOrchestration } from './checkedOrchestration.js';
import { chooseContext } from './chooseContext.js';
import type { WithRuns } from './runs.js';
import { startTeamRun } from './startTeamRun.js';

/** What a caller has decided already. What is left out is asked for. */
interface Argument {
  readonly input?: JsonObject;
  readonly llm?: string;
}

/**
 * Run Orchestration: from the palette, a lens, the graph, a menu (with a Uri) or a tree (with an item that has a `uri`); with `input` too nothing
 * is asked any more. Ends when the run does.
 *
 * @returns undefined when the user cancelled
 */
export async function runOrchestration(services: Services & WithGraphs & WithRuns, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const file = await chooseOrchestration(services, argument);
  if (file === undefined) return undefined;
  const { folder, name, path, uri } = file;
  const given = readArgument(argument);
  const again = () => vscode.commands.executeCommand('agentStack.runOrchestration', { uri, ...given });
  // What cannot run is refused before anything is asked.
  const checked = await checkedOrchestration(services, { folder, orchestration: name, llm: given.llm }, path, again);
  if (given.input !== undefined)
    return startTeamRun(services, checked, { folder, orchestration: name, input: given.input, llm: given.llm });
  const index = await checked.project.index();
  const profiles = [...index.ids('llm').keys()].map((id) => ({ id, provider: index.value('llm', id)?.provider }));
  const chosen = await chooseContext({
    name,
    context: checked.orchestration.frozen.context,
    profiles,
    memory: services.extension.workspaceState,
    root: folder.root,
  });
  if (chosen === undefined) return undefined;
  const choice = { folder, orchestration: name, ...chosen };
  const ready = chosen.llm === undefined ? checked : await checkedOrchestration(services, choice, path, again);
  return startTeamRun(services, ready, choice);
}

function readArgument(argument: unknown): Argument {
  if (typeof argument !== 'object' || argument === null) return {};
  const { input, llm } = argument as { readonly input?: unknown; readonly llm?: unknown };
  return { ...(isObject(input) && { input }), ...(typeof llm === 'string' && { llm }) };
}
