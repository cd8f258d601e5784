import * as vscode from 'vscode';
import { usdText } from '../../../core/amounts.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import type { RunSummary } from '../../../core/run/runSummary.js';
import { readSpending, type Spending } from '../../../core/run/spending.js';
import type { ProjectFolder } from '../../projects.js';

/** The cost of a project's runs that started today. @param ended runs that were read earlier */
export function spendingOfToday(folder: ProjectFolder, ended?: Map<string, RunSummary>): Promise<Spending> {
  return readSpending(createNodeFiles(folder.root), startOfToday(), ended);
}

/** Where the user is, in milliseconds since 1970. */
export function startOfToday(): number {
  return new Date().setHours(0, 0, 0, 0);
}

/** `agentStack.budget.daily`, in USD; undefined without one. */
export function dailyBudget(folder: ProjectFolder): number | undefined {
  const budget: unknown = vscode.workspace.getConfiguration('agentStack', folder.uri).get('budget.daily');
  return typeof budget === 'number' && budget >= 0 ? budget : undefined;
}

/** `0.43 USD`; `at least 0.43 USD` where a price is not known; `0.43 USD so far` while a run is in progress. */
export function spendingText({ cost, unpriced, open }: Spending): string {
  const { t } = vscode.l10n;
  const amount = usdText(cost, vscode.env.language);
  if (unpriced === 0) return open === 0 ? amount : t('{0} so far', amount);
  return open === 0 ? t('at least {0}', amount) : t('at least {0} so far', amount);
}

/** Remembers what was announced or allowed today, so that it is not announced or asked again. */
export class OnceToday {
  private readonly memory: vscode.Memento;
  private readonly key: string;

  constructor(memory: vscode.Memento, name: string, folder: ProjectFolder) {
    this.memory = memory;
    this.key = `agentStack.${name}:${folder.root}`;
  }

  get isDone(): boolean {
    return this.memory.get(this.key) === startOfToday();
  }

  async done(): Promise<void> {
    await this.memory.update(this.key, startOfToday());
  }
}
