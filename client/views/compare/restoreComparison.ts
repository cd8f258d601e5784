import { isObject } from '../../../core/json.js';
import { runsFolder } from '../../../core/run/readRuns.js';
import type { RestorePanel } from '../../panels/restorePanels.js';
import { isThere } from '../isThere.js';
import type { RunReference } from '../run/types.js';
import { showComparison } from './showComparison.js';

/** Compares the runs that are still kept, where there are two or more. Only projects of this workspace are read. */
export const restoreComparison: RestorePanel = async (client, panel, state) => {
  if (!isObject(state) || !Array.isArray(state.runs)) return false;
  const folders = await client.projects.list();
  const runs: RunReference[] = [];
  for (const kept of state.runs) {
    if (!isObject(kept) || typeof kept.run_id !== 'string') continue;
    const { root, run_id } = kept;
    const folder = folders.find((one) => one.root === root);
    if (folder !== undefined && (await isThere(folder.uriOf(`${runsFolder}/${run_id}/run.json`)))) runs.push({ folder, run_id });
  }
  if (runs.length < 2) return false;
  await showComparison(client, runs, panel);
  return true;
};
