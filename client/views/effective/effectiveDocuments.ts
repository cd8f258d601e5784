import * as vscode from 'vscode';
import { findText } from '../../../core/jsonText/findText.js';
import { readRun } from '../../../core/run/readRuns.js';
import { originsPath, snapshotPath } from '../../../core/run/readSnapshot.js';
import { textAt } from '../../../core/run/untrusted.js';
import { singleFlight } from '../../../core/singleFlight.js';
import { readOrigins } from '../../../core/snapshot/snapshotOrigins.js';
import { verifySnapshot } from '../../../core/snapshot/verifySnapshot.js';
import type { PreviewProject } from '../../panels/preview/previewProject.js';
import type { Previews } from '../../panels/preview/previews.js';
import type { Services } from '../../services.js';
import { composeEffective, effectiveTarget } from './composeEffective.js';
import { type EffectiveFacts, type EffectiveState, nothing, stateText, toState } from './effectiveState.js';
import { type EffectiveSubject, effectiveSubject } from './effectiveUri.js';

/** Effective configs as documents, live: what is typed counts before it is saved. */
export class EffectiveDocuments implements vscode.Disposable {
  readonly #services: Services;
  readonly #previews: Previews;
  readonly #open = new Map<string, OpenDocument>();
  readonly #disposables: vscode.Disposable[];

  constructor(services: Services, previews: Previews, tellChanged: (uri: vscode.Uri) => void) {
    this.#services = services;
    this.#previews = previews;
    const report = (error: unknown) => services.log.error('An effective config failed', error instanceof Error ? error : String(error));
    const update = singleFlight(async () => {
      for (const [key, document] of this.#open) {
        const before = document.text;
        await this.#refresh(document);
        if (document.text !== before && this.#open.has(key)) tellChanged(document.uri);
      }
    }, report);
    this.#disposables = [
      previews.onDidChange(update),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#open.delete(uri.toString())),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async provide(uri: vscode.Uri): Promise<string> {
    const key = uri.toString();
    let document = this.#open.get(key);
    if (document === undefined) {
      document = { uri, state: nothing(''), text: '', last: undefined, made: undefined };
      this.#open.set(key, document);
      document.made = this.#refresh(document);
    }
    await document.made;
    return document.text;
  }

  /** The content of a document; undefined for one that is not open. */
  stateOf(uri: vscode.Uri): EffectiveState | undefined {
    return this.#open.get(uri.toString())?.state;
  }

  async #refresh(document: OpenDocument): Promise<void> {
    const subject = effectiveSubject(document.uri);
    document.state = subject === undefined ? nothing(vscode.l10n.t('This address shows nothing.')) : await this.#make(subject, document);
    document.text = stateText(document.state);
  }

  async #make(subject: EffectiveSubject, document: OpenDocument): Promise<EffectiveState> {
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
      facts.content === undefined && document.last !== undefined ? { ...document.last, errors: facts.errors, stale: facts.stale } : facts;
    if (facts.content !== undefined) document.last = facts;
    return toState(shownState);
  }
}

interface OpenDocument {
  readonly uri: vscode.Uri;
  state: EffectiveState;
  text: string;
  /** The last state in which there was something to show. */
  last: EffectiveFacts | undefined;
  /** Resolves when it is made for the first time. */
  made: Promise<void> | undefined;
}

/** The effective config that a run had, read back from its folder. */
async function keptEffective(project: PreviewProject, run_id: string): Promise<EffectiveState> {
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
