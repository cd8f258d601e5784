import * as vscode from 'vscode';
import { configPrefix } from '../../../../core/config/paths.js';
import { readProjectSettings } from '../../../../core/config/readProjectSettings.js';
import { isThere } from '../../../isThere.js';
import type { LanguageServer } from '../../../language/languageServer.js';
import { applyMove, editForMove } from '../../../language/moveFiles.js';
import { createEditorFiles } from '../../../ports/editorFiles.js';
import { Refusal } from '../../../refusal.js';
import type { AgentsNode, PayloadNode } from '../nodes.js';

/**
 * A payload that is dropped on another agent of its project becomes one of that agent. Nothing else has an obvious meaning, so nothing else
 * moves.
 */
export async function dropPayloads(server: LanguageServer, dragged: readonly AgentsNode[], target: AgentsNode | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const agent = target !== undefined && 'agent_name' in target ? target.agent_name : undefined;
  const payloads = dragged.filter((node): node is PayloadNode => node.kind === 'payload' && node.agent_name !== agent);
  if (target === undefined || agent === undefined || payloads.length === 0) return;
  if (payloads.some(({ folder }) => folder !== target.folder)) throw new Refusal(t('A payload stays in its project.'));
  const { folder } = target;
  const prefix = configPrefix(await readProjectSettings(createEditorFiles(folder)));
  const moves = payloads.map(({ uri, name }) => ({ from: uri, to: folder.uriOf(`${prefix}payloads/${agent}/${name}.json`) }));
  const isTaken = (await Promise.all(moves.map(({ to }) => isThere(to)))).includes(true);
  if (isTaken || !(await applyMove(server, await editForMove(server, moves), moves)))
    throw new Refusal(t('The payload could not be moved: {0} may have one of that name.', agent));
}
