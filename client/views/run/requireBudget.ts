import * as vscode from 'vscode';
import type { Agent } from '../../../core/agent/types.js';
import { usdText } from '../../../core/amounts.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { dailyBudget, OnceToday, spendingOfToday, spendingText } from '../status/dailySpending.js';

/**
 * Asks the user before a run that can cost money, once today's runs have reached `agentStack.budget.daily`. Simulated agents cost nothing.
 *
 * @throws CancellationError when the user does not want to run
 */
export async function requireBudget({ memory }: Pick<Services, 'memory'>, folder: ProjectFolder, agents: Iterable<Agent>): Promise<void> {
  const budget = dailyBudget(folder);
  if (budget === undefined || [...agents].every(({ resolved }) => resolved.llm.provider === 'offline')) return;
  const allowed = new OnceToday(memory, 'beyondBudget', folder);
  if (allowed.isDone) return;
  const spending = await spendingOfToday(folder);
  if (spending.cost < budget) return;
  const { t } = vscode.l10n;
  const run = t('Run Anyway');
  const always = t('Run Anyway, All Day');
  const chosen = await vscode.window.showWarningMessage(
    t('The budget of today is used up.'),
    {
      modal: true,
      detail: t(
        'The runs of {0} have cost {1} today, and the setting agentStack.budget.daily is {2}.',
        folder.name,
        spendingText(spending),
        usdText(budget, vscode.env.language),
      ),
    },
    run,
    always,
  );
  if (chosen === undefined) throw new vscode.CancellationError();
  if (chosen === always) await allowed.done();
}
