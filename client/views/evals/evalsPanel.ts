import * as vscode from 'vscode';
import type { EvalReport } from '../../../core/eval/report/evalReport.js';
import { createEvalWords } from '../../../core/eval/report/evalWords.js';
import { readKeptReport } from '../../../core/eval/report/keptReport.js';
import { evalPage } from '../../../core/eval/report/page/evalPage.js';
import type { PageAction } from '../../../core/eval/report/page/pageElement.js';
import { readLines } from '../../../core/eval/report/readLines.js';
import { listEvalIds } from '../../../core/eval/runner/evalStore.js';
import { locate } from '../../../core/jsonText/locate.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { FileProblem } from '../../../core/ports.js';
import { gradeEval } from '../../../core/project/evals.js';
import type { Client } from '../../client.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import type { ProjectFolder } from '../../projects.js';
import { tellFailure } from '../../tellFailure.js';
import { lastEvalsOf } from '../tests/lastEvals.js';
import { openEvalProject } from '../tests/openEvalProject.js';
import { showPage } from '../webviewPage.js';
import { uriOfEvalRun } from './evalDocuments.js';
import { type HostMessage, isPageMessage, type PageMessage } from './messages.js';

export const evalsPanelType = 'agentStack.evals';

/** Passed cases that are shown until the reader asks for the others. */
const mostPassed = 200;
/** Evals that can be chosen. */
const mostEvals = 100;

/** A panel with the report of one eval of a project. */
export class EvalsPanel {
  readonly #client: Client;
  readonly #panel: vscode.WebviewPanel;
  readonly #listener: vscode.Disposable;
  #folder: ProjectFolder;
  #id: string;
  #report: EvalReport | undefined;
  #showsAll = false;
  /** The eval is the newest, and is replaced by one that ends later. */
  #follows: boolean;

  constructor(client: Client, panel: vscode.WebviewPanel, folder: ProjectFolder, id: string, isNewest: boolean) {
    this.#client = client;
    this.#panel = panel;
    this.#folder = folder;
    this.#id = id;
    this.#follows = isNewest;
    panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    this.#listener = lastEvalsOf(client.tests).onDidChange((changed) => {
      if (changed.root === this.#folder.root) void this.#refresh();
    });
    panel.onDidDispose(() => {
      this.#listener.dispose();
      if (client.tests.panel === this) client.tests.panel = undefined;
    });
    client.tests.panel = this;
    this.#retitle();
    showPage(client.extension, panel, {
      name: 'evals',
      strings: { shown: vscode.l10n.t('Shown eval'), compare: vscode.l10n.t('Compare with Baseline') },
    });
  }

  /** Shows another eval, of this or another project. */
  async show(folder: ProjectFolder, id: string, isNewest: boolean): Promise<void> {
    this.#folder = folder;
    this.#follows = isNewest;
    this.#choose(id);
    this.#panel.reveal();
    await this.#send();
  }

  #choose(id: string): void {
    this.#id = id;
    this.#report = undefined;
    this.#showsAll = false;
    this.#retitle();
  }

  #retitle(): void {
    this.#panel.title = vscode.l10n.t('Evals: {0}', this.#folder.name);
  }

  async #refresh(): Promise<void> {
    const [newest] = await listEvalIds(createNodeFiles(this.#folder.root));
    if (this.#follows && newest !== undefined && newest !== this.#id) this.#choose(newest);
    await this.#send();
  }

  async #receive(message: unknown): Promise<void> {
    if (!isPageMessage(message)) {
      this.#client.log.warn('The page of evals sent something that is not a message.');
      return;
    }
    try {
      await this.#answer(message);
    } catch (error) {
      await tellFailure(this.#client, 'agentStack.showEvals', error);
    }
  }

  async #answer(message: PageMessage): Promise<void> {
    if (message.type === 'act') return this.#act(message.action);
    if (message.type === 'compare')
      return void (await vscode.commands.executeCommand('agentStack.compareBaseline', { root: this.#folder.root }));
    if (message.type === 'choose') {
      const ids = await listEvalIds(createNodeFiles(this.#folder.root));
      if (!ids.includes(message.id)) return;
      this.#follows = message.id === ids[0];
      this.#choose(message.id);
    }
    await this.#send();
  }

  async #send(): Promise<void> {
    const id = this.#id;
    const files = createNodeFiles(this.#folder.root);
    const report =
      this.#report ?? (await readKeptReport(files, id)) ?? (await gradeEval(await openEvalProject(this.#client, this.#folder), id));
    // Another one was chosen meanwhile.
    if (id !== this.#id) return;
    this.#report = report;
    const { language } = vscode.env;
    const lineOf = await readLines(report, { textOf: (file) => this.#textOf(file) });
    const message: HostMessage = {
      type: 'show',
      root: this.#folder.root,
      eval_id: id,
      page: evalPage(report, {
        words: createEvalWords(vscode.l10n.t, language),
        started: new Date(report.started).toLocaleString(language),
        lineOf,
        isLive: true,
        ...(!this.#showsAll && { mostPassed }),
      }),
      evals: (await listEvalIds(files)).slice(0, mostEvals).map((one) => ({ id: one, label: startOf(one).toLocaleString(language) })),
    };
    await this.#panel.webview.postMessage(this.#client.cover.apply(message));
  }

  async #act(action: PageAction): Promise<void> {
    const report = this.#report;
    if (action.type === 'all') {
      this.#showsAll = true;
      await this.#send();
    } else if (action.type === 'run') {
      const run = report?.suites[action.suite]?.cases[action.case]?.runs.find(({ repeat }) => repeat === action.repeat);
      if (report === undefined || run === undefined) return;
      await vscode.window.showTextDocument(uriOfEvalRun(this.#folder.root, report.eval_id, run.run_id), { preview: true });
    } else await this.#openPlace(action.file, action.pointer);
  }

  async #openPlace(file: string, pointer: string): Promise<void> {
    // The page is not trusted: it can open only files that are in the report.
    if (!this.#report?.suites.some(({ cases }) => cases.some((one) => one.file === file))) return;
    const document = await vscode.workspace.openTextDocument(this.#folder.uriOf(file));
    const found = locate(document.getText(), [pointer]).get(pointer)?.value;
    const selection = found && new vscode.Range(document.positionAt(found.start), document.positionAt(found.end));
    await vscode.window.showTextDocument(document, selection === undefined ? {} : { selection });
  }

  async #textOf(file: string): Promise<string | undefined> {
    try {
      return await createEditorFiles(this.#folder).readText(file);
    } catch (error) {
      if (error instanceof FileProblem) return undefined;
      throw error;
    }
  }
}

/** When an eval began, which its id says. */
function startOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 12), 16));
}
