import * as vscode from 'vscode';
import { findText } from '../../../core/jsonText/findText.js';
import { readRun } from '../../../core/run/readRuns.js';
import { originsPath, snapshotPath } from '../../../core/run/readSnapshot.js';
import { textAt } from '../../../core/run/untrusted.js';
import { readOrigins } from '../../../core/snapshot/snapshotOrigins.js';
import { verifySnapshot } from '../../../core/snapshot/verifySnapshot.js';
import type { PreviewProject } from '../../panels/preview/previewProject.js';
import { type EffectiveState, nothing, toState } from './effectiveState.js';

/** The effective config that a run had, read back from its folder. */
export async function keptEffective(project: PreviewProject, run_id: string): Promise<EffectiveState> {
  const { files, sha256 } = await project.ports;
  const { run, summary } = await readRun(files, run_id);
  const hash = textAt(run, 'snapshot_hash') ?? '';
  const path = snapshotPath(run_id, hash);
  const text = path && (await findText(files, path));
  if (path === undefined || text === undefined) return nothing(vscode.l10n.t('The snapshot of the run {0} is not there any more.', run_id));
  const verified = verifySnapshot(text, hash, sha256);
  if (!verified.ok) return nothing(`${path}: ${verified.message}`);
  const origins = await findText(files, originsPath(path));
  return toState({
    folder: project.folder,
    name: [summary.name ?? verified.value.name, summary.version ?? []].flat().join('@'),
    environment: verified.value.environment,
    hash,
    notes: [vscode.l10n.t('As the run {0} had it', run_id)],
    errors: [],
    content: { value: verified.value, origins: readOrigins(() => origins ?? '{}').all() },
  });
}
