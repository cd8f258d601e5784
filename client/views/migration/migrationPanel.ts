import * as vscode from 'vscode';
import { dayOf } from '../../../core/day.js';
import { AgentStackError } from '../../../core/errors.js';
import { h, hasAction, type PageAction, type PageElement } from '../../../core/eval/report/page/pageElement.js';
import { environmentsOf } from '../../../core/migrate/agentUses.js';
import { migrationPage } from '../../../core/migrate/migrationPage.js';
import { priceWords } from '../../../core/migrate/migrationWords.js';
import { type MigrationPlan, planMigration } from '../../../core/migrate/planMigration.js';
import { FileProblem } from '../../../core/ports.js';
import { debounce } from '../../debounce.js';
import { openEditorProject } from '../../editorProject.js';
import { isThere } from '../../isThere.js';
import { rangeAt, showBeside } from '../../panels/columns.js';
import { PanelPage } from '../../panels/panelPage.js';
import { fromPage, type ToPage } from '../../panels/report/messages.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { applyChanges, showChanges } from './planChanges.js';

/** What moves, as VS Code stores it to restore the panel. */
export interface Migration {
  /** Absolute path of the project. */
  readonly root: string;
  /** The model to replace; null for every one that ends. */
  readonly from: string | null;
  /** The model that replaces it; null for the successor that its provider names. */
  readonly to: string | null;
}

/** What a migration changes in the files of now, with what is typed but not saved, too. */
export async function planOf(services: Services, folder: ProjectFolder, { from, to }: Migration, allow_unknown = false) {
  const { ports, index: readIndex } = await openEditorProject(services, folder, 'editors');
  const { files, environment: variables, clock } = ports;
  const index = await readIndex();
  const names = { from: from ?? undefined, to: to ?? undefined };
  const plan = await planMigration({ files, index, variables, ...names, subjects: [], allow_unknown });
  return { plan, environments: environmentsOf(index).length, asOf: dayOf(clock.now()) };
}

/** A panel with a migration, which is planned again when files of the project are saved. Nothing is written before the user has agreed to the prices. */
export class MigrationPanel {
  readonly #services: Services;
  readonly #folder: ProjectFolder;
  readonly #page: PanelPage<ToPage, typeof fromPage>;
  #migration: Migration;
  #allowsUnknown = false;
  #plan: MigrationPlan | undefined;
  #shown: PageElement;

  constructor(services: Services, panel: vscode.WebviewPanel, folder: ProjectFolder, migration: Migration) {
    this.#services = services;
    this.#folder = folder;
    this.#migration = migration;
    this.#shown = this.#note(vscode.l10n.t('Comparing the models...'));
    const update = debounce<string>(() => this.#update(), 300);
    this.#page = new PanelPage(services, panel, {
      name: 'report',
      title: this.#title(),
      command: 'agentStack.migrateModel',
      messages: fromPage,
      onReady: async () => {
        this.#send();
        await this.#update();
      },
      on: { act: ({ action }) => this.#act(action), compare: () => this.#chooseModel(), choose: () => undefined },
    });
    this.#page.own(
      update,
      services.projects.onDidChange((uri) => {
        const isUnsaved = vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri.toString());
        if (!isUnsaved && folder.pathOf(uri) !== undefined && this.#page.isReady) update.add('');
      }),
    );
  }

  /** Shows the panel again, with the files of now. */
  async show(): Promise<void> {
    this.#page.reveal('take focus');
    await this.#update();
  }

  #title(): string {
    return vscode.l10n.t('Migrate: {0}', this.#migration.from ?? this.#folder.name);
  }

  #note(message: string): PageElement {
    return h('main', {}, h('h1', {}, this.#title()), h('p', { role: 'status' }, message));
  }

  async #update(): Promise<void> {
    const [migration, allowUnknown] = [this.#migration, this.#allowsUnknown];
    try {
      const { plan, ...facts } = await planOf(this.#services, this.#folder, migration, allowUnknown);
      // Another model was chosen meanwhile.
      if (migration !== this.#migration || allowUnknown !== this.#allowsUnknown) return;
      this.#plan = plan;
      this.#shown = migrationPage(plan, { t: vscode.l10n.t, language: vscode.env.language, ...migration, allowUnknown, ...facts });
    } catch (error) {
      if (this.#page.isClosed) return;
      if (!(error instanceof AgentStackError) && !(error instanceof FileProblem)) {
        this.#page.report(error);
        return;
      }
      this.#plan = undefined;
      this.#shown = this.#note(error.message);
    }
    this.#send();
  }

  #send(): void {
    const compare = vscode.l10n.t('Another Model...');
    const canChoose = this.#plan?.moves.length === 1 || this.#migration.to !== null;
    this.#page.update({ type: 'show', state: this.#migration, page: this.#shown, ...(canChoose && { compare }) });
  }

  async #act(action: PageAction): Promise<void> {
    // The page is not trusted: it can do only what it was sent.
    if (!hasAction(this.#shown, action)) return;
    if (action.type === 'place') await this.#openPlace(action.file, action.pointer);
    if (action.type !== 'migrate') return;
    if (action.step === 'unknown') {
      this.#allowsUnknown = !this.#allowsUnknown;
      await this.#update();
    } else if (action.step === 'changes') await this.#showChanges();
    else await this.#apply();
  }

  async #openPlace(file: string, pointer: string): Promise<void> {
    const uri = this.#folder.uriOf(file);
    if (!(await isThere(uri))) throw new Refusal(vscode.l10n.t('{0} no longer exists.', file));
    const document = await vscode.workspace.openTextDocument(uri);
    await showBeside(document, rangeAt(document, pointer), this.#page.column);
  }

  async #chooseModel(): Promise<void> {
    const { t } = vscode.l10n;
    const [move] = this.#plan?.moves ?? [];
    const from = this.#migration.from ?? move?.from;
    if (from === undefined) return;
    const nearest = move?.nearest ?? [];
    const to = await vscode.window.showInputBox({
      title: t('Another Model for {0}', from),
      prompt: t('Model that replaces it; empty for the successor that its provider names'),
      value: this.#migration.to ?? move?.to ?? '',
      ...(nearest.length > 0 && { placeHolder: nearest.join(', ') }),
      validateInput: (text) => (text.trim() === from ? t('This is the model that it replaces.') : undefined),
    });
    if (to === undefined) return;
    this.#migration = { ...this.#migration, from, to: to.trim() === '' ? null : to.trim() };
    await this.#update();
  }

  async #showChanges(): Promise<void> {
    await this.#update();
    const changes = this.#plan?.changes ?? [];
    if (changes.length === 0) throw new Refusal(vscode.l10n.t('There is nothing to write.'));
    this.#page.own(await showChanges(this.#folder, changes, this.#title()));
  }

  async #apply(): Promise<void> {
    const { t } = vscode.l10n;
    const { changes, price_change: change } = await this.#sameAsShown();
    const count = changes.length;
    const question = count === 1 ? t('Write 1 file?') : t('Write {0} files?', count);
    const paths = changes.map(({ file }) => file);
    const most = 12;
    const detail = [...paths.slice(0, most), ...(paths.length > most ? [t('and {0} more', paths.length - most)] : [])].join('\n');
    const yes = t('Migrate');
    const price = priceWords(change, { t, language: vscode.env.language });
    if ((await vscode.window.showWarningMessage(`${price} ${question}`, { modal: true, detail }, yes)) !== yes) return;
    // Files may have changed while the question was open.
    await this.#sameAsShown();
    const unsaved = await applyChanges(this.#folder, changes);
    await this.#update();
    const words = [count === 1 ? t('1 file was changed.') : t('{0} files were changed.', count)];
    if (unsaved.length > 0) words.push(t('Not saved, since it had unsaved changes already: {0}.', unsaved.join(', ')));
    void vscode.window.showInformationMessage([...words, t('Undo in one of them takes all back.')].join(' '));
  }

  /** The plan that the reader has seen. @throws Refusal if files, saved or not, make another one now, which is shown then */
  async #sameAsShown(): Promise<MigrationPlan> {
    const factsOf = (plan: MigrationPlan | undefined) => JSON.stringify([plan?.moves, plan?.changes, plan?.price_change]);
    const shown = factsOf(this.#plan);
    await this.#update();
    const plan = this.#plan;
    if (plan !== undefined && factsOf(plan) === shown) return plan;
    throw new Refusal(vscode.l10n.t('Files have changed since the page was made, so nothing was written. The page is up to date now.'));
  }
}
