import { isObject } from '../../../core/json.js';
import type { RestorePanel } from '../../panels/restorePanels.js';
import { RunPanel } from '../../panels/run/runPanel.js';
import { checkContinuable } from '../runs/checkContinuable.js';
import { readStoredRun } from '../runs/storedRun.js';

/** Shows a run as the history has it. Only projects of this workspace are read. */
export const restoreRun: RestorePanel = async (client, panel, state) => {
  if (!isObject(state) || typeof state.run_id !== 'string') return false;
  const folder = (await client.projects.list()).find(({ root }) => root === state.root);
  if (folder === undefined) return false;
  const reference = { folder, run_id: state.run_id };
  const run = await readStoredRun(reference, client.runs.isPinned(reference));
  await checkContinuable(client, run);
  new RunPanel(client, panel, run);
  return true;
};
