import * as vscode from 'vscode';
import { diffPage } from '../../../core/diff/diffPage.js';

import type { BehaviourDiff } from '../../../core/diff/types.js';
import { AgentStackError } from '../../../core/errors.js';
import { h, hasAction, type PageAction, type PageElement } from '../../../core/eval/report/page/pageElement.js';
import { GitBaseError } from '../../../core/node/git.js';
import { FileProblem } from '../../../core/ports.js';
import { debounce } from '../../debounce.js';
import { isThere } from '../../isThere.js';
import { rangeAt, showBeside } from '../../panels/columns.js';
import { PanelPage } from '../../panels/panelPage.js';
import { fromPage, type ToPage } from '../../panels/report/messages.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { uriAtCommit } from './commitDocuments.js';
import { type Comparison, compareBehaviourOf } from './comparison.js';

/** A panel with one comparison, which is made again when files of the project are saved. */
export class BehaviourPanel {
  readonly #services: Services;
  readonly #folder: ProjectFolder;
  readonly #comparison: Comparison;
  readonly #page: PanelPage<ToPage, typeof fromPage>;
  readonly #closed = new AbortController();
  #diff: BehaviourDiff | undefined;
  #shown: PageElement | undefined;

  /** @param diff what a comparison of a moment ago has found; without it, it is made now */
  constructor(services: Services, panel: vscode.WebviewPanel, folder: ProjectFolder, comparison: Comparison, diff?: BehaviourDiff) {
    this.#services = services;
    this.#folder = folder;
    this.#comparison = comparison;
    const update = debounce<string>(() => this.#update(), 300);
    let isStale = diff === undefined;
    const refresh = () => {
      isStale = !this.#page.isReady;
      if (this.#page.isReady) update.add('');
    };
    this.#page = new PanelPage(services, panel, {
      name: 'report',
      title: titleOf(folder, comparison),
      command: 'agentStack.compareBehaviour',
      messages: fromPage,
      onReady: () => {
        this.#send();
        if (isStale) refresh();
        isStale = true;
      },
      on: {
        act: ({ action }) => this.#act(action),
        compare: () =>
          vscode.commands.executeCommand(
            'agentStack.compareBehaviour',
            comparison.path === undefined ? { folder } : folder.uriOf(comparison.path),
          ),
        choose: () => undefined,
      },
    });
    this.#page.own(
      update,
      // Also after a commit, which changes no file.
      services.projects.onDidChange((uri) => {
        const isUnsaved = vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri.toString());
        if (!isUnsaved && folder.pathOf(uri) !== undefined) refresh();
      }),
    );
    this.#page.onDidClose(() => this.#closed.abort());
    if (diff !== undefined) this.#show(diff);
  }

  async #update(): Promise<void> {
    try {
      const { signal } = this.#closed;
      this.#show(await compareBehaviourOf(this.#services, this.#folder, this.#comparison, signal));
    } catch (error) {
      if (this.#page.isClosed) return;
      if (error instanceof Refusal || error instanceof GitBaseError || error instanceof AgentStackError || error instanceof FileProblem) {
        const title = h('h1', {}, titleOf(this.#folder, this.#comparison));
        this.#shown = h('main', {}, title, h('p', { class: 'note', role: 'alert' }, error.message));
        this.#send();
      } else this.#page.report(error);
    }
  }

  #show(diff: BehaviourDiff): void {
    this.#diff = diff;
    this.#shown = diffPage(diff, { t: vscode.l10n.t, language: vscode.env.language });
    this.#send();
  }

  #send(): void {
    if (this.#shown === undefined) return;
    this.#page.update({ type: 'show', state: this.#comparison, page: this.#shown, compare: vscode.l10n.t('Compare with...') });
  }

  async #act(action: PageAction): Promise<void> {
    // The page is not trusted: it can open only what it was sent.
    if (this.#shown === undefined || !hasAction(this.#shown, action) || action.type !== 'place') return;
    const { file, pointer, side } = action;
    const commit = side === 'before' ? this.#diff?.before.commit : undefined;
    const uri = commit === undefined ? this.#folder.uriOf(file) : uriAtCommit(this.#folder.root, commit, file);
    if (commit === undefined && !(await isThere(uri))) throw new Refusal(vscode.l10n.t('{0} no longer exists.', file));
    const document = await vscode.workspace.openTextDocument(uri);
    await showBeside(document, rangeAt(document, pointer), this.#page.column);
  }
}

/** `Behaviour: A2@v1`, or the name of the project. */
function titleOf({ name }: ProjectFolder, { path }: Comparison): string {
  const [, agent, version] = /([^/]+)\/([^/]+)\.json$/.exec(path ?? '') ?? [];
  const subject = agent === undefined ? name : agent === 'orchestrations' ? version : `${agent}@${version}`;
  return vscode.l10n.t('Behaviour: {0}', subject ?? name);
}
