import * as vscode from 'vscode';
import { createEvalWords } from '../../../core/eval/report/evalWords.js';
import { evalPage } from '../../../core/eval/report/page/evalPage.js';
import { hasAction, type PageAction, type PageElement } from '../../../core/eval/report/page/pageElement.js';
import { readLines } from '../../../core/eval/report/readLines.js';
import { listEvalIds, readKeptReport } from '../../../core/eval/runner/evalStore.js';
import type { EvalReport } from '../../../core/generated/types.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { FileProblem } from '../../../core/ports.js';
import { gradeEval } from '../../../core/project/evals.js';
import type { Client } from '../../client.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import type { ProjectFolder } from '../../projects.js';
import { rangeAt } from '../columns.js';
import { PanelPage } from '../panelPage.js';
import { fromPage, type ToPage } from '../report/messages.js';
import { uriOfEvalRun } from './evalDocuments.js';
import { lastEvalsOf } from './lastEvals.js';
import { openEvalProject } from './openEvalProject.js';

/** Passed cases that are shown until the reader asks for the others. */
const mostPassed = 200;
/** Evals that can be chosen. */
const mostEvals = 100;

/** A panel with the report of one eval of a project. */
export class EvalsPanel {
  readonly #client: Client;
  readonly #page: PanelPage<ToPage, typeof fromPage>;
  #folder: ProjectFolder;
  #id: string;
  #report: EvalReport | undefined;
  #shown: PageElement | undefined;
  #showsAll = false;
  /** The eval is the newest, and is replaced by one that ends later. */
  #follows: boolean;

  constructor(client: Client, panel: vscode.WebviewPanel, folder: ProjectFolder, id: string, isNewest: boolean) {
    this.#client = client;
    this.#folder = folder;
    this.#id = id;
    this.#follows = isNewest;
    this.#page = new PanelPage(client, panel, {
      name: 'report',
      title: titleOf(folder),
      command: 'agentStack.showEvals',
      messages: fromPage,
      onReady: () => this.#send(),
      on: {
        act: ({ action }) => this.#act(action),
        compare: () => vscode.commands.executeCommand('agentStack.compareBaseline', { root: this.#folder.root }),
        choose: ({ id }) => this.#showKept(id),
      },
    });
    this.#page.own(
      lastEvalsOf(client.tests).onDidChange(({ root }) => root === this.#folder.root && this.#refresh().catch(this.#page.report)),
    );
    client.tests.panel = this;
    this.#page.onDidClose(() => {
      if (client.tests.panel === this) client.tests.panel = undefined;
    });
  }

  /** Shows another eval, of this or another project. */
  async show(folder: ProjectFolder, id: string, isNewest: boolean): Promise<void> {
    this.#folder = folder;
    this.#page.title = titleOf(folder);
    this.#follows = isNewest;
    this.#choose(id);
    this.#page.reveal('take focus');
    await this.#send();
  }

  #choose(id: string): void {
    this.#id = id;
    this.#report = undefined;
    this.#showsAll = false;
  }

  async #refresh(): Promise<void> {
    const [newest] = await listEvalIds(createNodeFiles(this.#folder.root));
    if (this.#follows && newest !== undefined && newest !== this.#id) this.#choose(newest);
    await this.#send();
  }

  /** An eval that was chosen in the page. */
  async #showKept(id: string): Promise<void> {
    const ids = await listEvalIds(createNodeFiles(this.#folder.root));
    if (!ids.includes(id)) return;
    this.#follows = id === ids[0];
    this.#choose(id);
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
    const evals = (await listEvalIds(files)).slice(0, mostEvals);
    this.#shown = evalPage(report, {
      words: createEvalWords(vscode.l10n.t, language),
      started: new Date(report.started).toLocaleString(language),
      lineOf,
      isLive: true,
      ...(!this.#showsAll && { mostPassed }),
    });
    this.#page.send({
      type: 'show',
      state: { root: this.#folder.root, eval_id: id },
      page: this.#shown,
      compare: vscode.l10n.t('Compare with Baseline'),
      choice: {
        label: vscode.l10n.t('Shown eval'),
        items: evals.map((eval_id) => ({ id: eval_id, label: startOf(eval_id).toLocaleString(language) })),
        chosen: id,
      },
    });
  }

  async #act(action: PageAction): Promise<void> {
    const report = this.#report;
    // The page is not trusted: it can open only what it was sent.
    if (this.#shown === undefined || !hasAction(this.#shown, action)) return;
    if (action.type === 'all') {
      this.#showsAll = true;
      await this.#send();
    } else if (action.type === 'run') {
      const run = report?.suites[action.suite]?.cases[action.case]?.runs.find(({ repeat }) => repeat === action.repeat);
      if (report === undefined || run === undefined) return;
      await vscode.window.showTextDocument(uriOfEvalRun(this.#folder.root, report.eval_id, run.run_id), { preview: true });
    } else if (action.type === 'place') await this.#openPlace(action.file, action.pointer);
  }

  async #openPlace(file: string, pointer: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.#folder.uriOf(file));
    const selection = rangeAt(document, pointer);
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

function titleOf({ name }: ProjectFolder): string {
  return vscode.l10n.t('Evals: {0}', name);
}

/** When an eval began, which its id says. */
function startOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 12), 16));
}
