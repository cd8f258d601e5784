import * as vscode from 'vscode';
import { readRunSummary } from '../../../core/run/readRuns.js';
import { readFrozenConfig } from '../../../core/run/readSnapshot.js';
import { parseOrigins } from '../../../core/snapshot/snapshotOrigins.js';
import { LiveDocuments } from '../../panels/preview/liveDocuments.js';
import type { PreviewProject } from '../../panels/preview/previewProject.js';
import type { Previews } from '../../panels/preview/previews.js';
import type { Services } from '../../services.js';
import { composeEffective, effectiveTarget } from './composeEffective.js';
import { type EffectiveFacts, type EffectiveState, nothing, stateText, toState } from './effectiveState.js';
import { type EffectiveSubject, effectiveSubject } from './effectiveUri.js';

/** Effective configs as documents, live: unsaved text counts. */
export function effectiveDocuments(
  services: Services,
  previews: Previews,
  onChanged: (uri: vscode.Uri) => void,
): LiveDocuments<EffectiveContent> {
  const open = (uri: vscode.Uri) => new EffectiveContent(uri, services, previews);
  return new LiveDocuments({ log: services.log, previews, open, onChanged, failure: 'An effective config failed' });
}

export class EffectiveContent {
  state: EffectiveState = nothing('');
  readonly #uri: vscode.Uri;
  readonly #services: Services;
  readonly #previews: Previews;
  /** The last state in which there was something to show. */
  #last: EffectiveFacts | undefined;

  constructor(uri: vscode.Uri, services: Services, previews: Previews) {
    this.#uri = uri;
    this.#services = services;
    this.#previews = previews;
  }

  async compose(): Promise<string> {
    const subject = effectiveSubject(this.#uri);
    this.state = subject === undefined ? nothing(vscode.l10n.t('This address shows nothing.')) : await this.#make(subject);
    return stateText(this.state);
  }

  async #make(subject: EffectiveSubject): Promise<EffectiveState> {
    const home = 'file' in subject ? subject.file : vscode.Uri.joinPath(vscode.Uri.file(subject.root), 'agentstack.json');
    const project = this.#previews.projectOf(home);
    // Only projects of this workspace are read; a link cannot name another.
    const isHere = (await this.#services.projects.list()).some(({ root }) => root === project?.folder.root);
    if (project === undefined || !isHere) return nothing(vscode.l10n.t('{0} is in no project of this workspace.', home.fsPath));
    if (!('file' in subject)) return keptEffective(project, subject.run_id);
    const target = await effectiveTarget(project, subject.file);
    if (target === undefined) return nothing(vscode.l10n.t('{0} is neither an agent nor an orchestration.', subject.file.fsPath));
    const facts = await composeEffective(project, target, subject.environment);
    // While a file is broken, what it was before says more than nothing.
    const shownState =
      facts.content === undefined && this.#last !== undefined ? { ...this.#last, errors: facts.errors, stale: facts.stale } : facts;
    if (facts.content !== undefined) this.#last = facts;
    return toState(shownState);
  }
}

/** The effective config that a run had, read back from its folder. */
async function keptEffective(project: PreviewProject, run_id: string): Promise<EffectiveState> {
  const ports = await project.ports;
  const summary = await readRunSummary(ports.files, run_id);
  const frozen = await readFrozenConfig(ports, run_id);
  if (frozen === 'gone') return nothing(vscode.l10n.t('The snapshot of the run {0} no longer exists.', run_id));
  if ('problem' in frozen) return nothing(frozen.problem);
  const { value, hash, origins_text } = frozen;
  return toState({
    folder: project.folder,
    name: [summary.name ?? value.name, summary.version ?? []].flat().join('@'),
    environment: value.environment,
    hash,
    notes: [vscode.l10n.t('As the run {0} had it', run_id)],
    errors: [],
    content: { value, origins: parseOrigins(origins_text) },
  });
}
