import { listEvalIds } from '../../../core/eval/runner/evalStore.js';
import { isObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import type { RestorePage } from '../restorePages.js';
import { EvalsPanel } from './evalsPanel.js';

/** Shows an eval that is still kept. Only projects of this workspace are read. */
export const restoreEvals: RestorePage = async (client, panel, state) => {
  if (!isObject(state) || typeof state.eval_id !== 'string') return false;
  const folder = (await client.projects.list()).find(({ root }) => root === state.root);
  if (folder === undefined) return false;
  const ids = await listEvalIds(createNodeFiles(folder.root));
  if (!ids.includes(state.eval_id)) return false;
  new EvalsPanel(client, panel, folder, state.eval_id, state.eval_id === ids[0]);
  return true;
};
