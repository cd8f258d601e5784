import * as vscode from 'vscode';
import { usdText } from '../../../core/amounts.js';
import { pathOf } from '../../../core/config/paths.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import type { RunSummary } from '../../../core/run/runSummary.js';
import type { Spending } from '../../../core/run/spending.js';
import { isThere } from '../../isThere.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { dailyBudget, OnceToday, spendingOfToday, spendingText } from './dailySpending.js';

/** The two items of the status bar. They are shown while it is clear which project they are about. */
export class ProjectItems implements vscode.Disposable {
  private readonly services: Services;
  private readonly environment = vscode.window.createStatusBarItem('agentStack.environment', vscode.StatusBarAlignment.Right, 101);
  private readonly spending = vscode.window.createStatusBarItem('agentStack.spending', vscode.StatusBarAlignment.Right, 100);
  private readonly ended = new Map<ProjectFolder, Map<string, RunSummary>>();
  private folder: ProjectFolder | undefined;

  constructor(services: Services) {
    this.services = services;
    const { t } = vscode.l10n;
    this.environment.name = t('Agent Stack: Environment');
    this.environment.command = 'agentStack.selectEnvironment';
    this.spending.name = t('Agent Stack: Spend of Today');
    this.spending.command = 'agentStack.runs.focus';
  }

  async show(): Promise<void> {
    const folder = await this.current();
    if (folder === undefined) {
      this.environment.hide();
      this.spending.hide();
      return;
    }
    await this.showEnvironment(folder);
    const ended = this.ended.get(folder) ?? new Map<string, RunSummary>();
    this.ended.set(folder, ended);
    const spending = await spendingOfToday(folder, ended);
    this.showSpending(spending, dailyBudget(folder));
    await this.warn(folder, spending);
  }

  dispose(): void {
    this.environment.dispose();
    this.spending.dispose();
  }

  /** The project of the active editor, else the one of the last, else the only one. */
  private async current(): Promise<ProjectFolder | undefined> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const activeProject = active && this.services.projects.of(active);
    const projects = await this.services.projects.list();
    this.folder = activeProject ?? projects.find((folder) => folder === this.folder) ?? (projects.length === 1 ? projects[0] : undefined);
    return this.folder;
  }

  private async showEnvironment(folder: ProjectFolder): Promise<void> {
    const { t } = vscode.l10n;
    const settings = await readProjectSettings(createEditorFiles(folder));
    const chosen = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
    const name = chosen || settings.environment;
    const isMissing = chosen !== '' && !(await isThere(folder.uriOf(pathOf('system', chosen, settings))));
    this.environment.text = `$(layers) ${name}`;
    this.environment.tooltip = isMissing
      ? t('Environment {0} of {1}: there is no such file.', name, folder.name)
      : t('Environment of {0}. Click to select another one.', folder.name);
    this.environment.backgroundColor = isMissing ? warning : undefined;
    this.environment.accessibilityInformation = { label: t('Environment {0}', name) };
    this.environment.show();
  }

  private showSpending(spending: Spending, budget: number | undefined): void {
    const { t } = vscode.l10n;
    if (spending.runs === 0 && budget === undefined) {
      this.spending.hide();
      return;
    }
    const spendingWords = spendingText(spending);
    const limit = budget === undefined ? undefined : usdText(budget, vscode.env.language);
    this.spending.text = `$(credit-card) ${limit === undefined ? t('{0} today', spendingWords) : t('{0} of {1} today', spendingWords, limit)}`;
    const notes = [
      t('Runs of today: {0}', spending.runs),
      ...(spending.open === 0 ? [] : [t('Runs that have not ended, and are not counted yet: {0}', spending.open)]),
      ...(spending.unpriced === 0 ? [] : [t('Runs whose cost is not known: {0}', spending.unpriced)]),
      ...(limit === undefined ? [t('The setting agentStack.budget.daily warns when a day costs more.')] : []),
    ];
    this.spending.tooltip = notes.join('\n');
    this.spending.backgroundColor = budget !== undefined && spending.cost >= budget && spending.runs > 0 ? warning : undefined;
    this.spending.show();
  }

  /** Once a day. */
  private async warn(folder: ProjectFolder, spending: Spending): Promise<void> {
    const budget = dailyBudget(folder);
    if (budget === undefined || spending.runs === 0 || spending.cost < budget) return;
    const toldToday = new OnceToday(this.services.memory, 'budgetTold', folder);
    if (toldToday.isDone) return;
    await toldToday.done();
    const { t } = vscode.l10n;
    const spent = spendingText(spending);
    const limit = usdText(budget, vscode.env.language);
    const message = t('The runs of {0} have cost {1} today: the budget of {2} is used up.', folder.name, spent, limit);
    const [runs, settings] = [t('Show Runs'), t('Open Settings')];
    void vscode.window.showWarningMessage(message, runs, settings).then((chosen) => {
      if (chosen === runs) void vscode.commands.executeCommand('agentStack.runs.focus');
      if (chosen === settings) void vscode.commands.executeCommand('workbench.action.openSettings', 'agentStack.budget.daily');
    });
  }
}

const warning = new vscode.ThemeColor('statusBarItem.warningBackground');
