import * as vscode from 'vscode';
import type { Project } from '../../../core/project/types.js';
import type { ApproveTool } from '../../../core/tools/types.js';
import { Approvals } from '../../panels/run/approvals.js';
import type { ViewApproval } from '../../panels/run/messages.js';
import { ToolGrants } from '../../ports/toolGrants.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** Asks before a tool is called, one question after the other; what is allowed for the run stays so as long as what is returned is used. */
export function askInDialog(services: Services, { ports }: Pick<Project, 'ports'>, folder: ProjectFolder): ApproveTool {
  const { t } = vscode.l10n;
  let next = 0;
  let approvalId: number | undefined;
  const approvals = new Approvals({
    grants: new ToolGrants(services.extension.globalState, folder.root),
    sha256: ports.sha256,
    // User settings only: a workspace cannot trust itself.
    trustedTools: () => vscode.workspace.getConfiguration('agentStack').inspect('mcp.trustedTools')?.globalValue,
    isTrusted: () => vscode.workspace.isTrusted,
    runs: '',
    nextId: () => ++next,
    onChange: (waiting) => void requestApproval(waiting),
  });

  async function requestApproval([first, ...others]: readonly ViewApproval[]): Promise<void> {
    if (first === undefined || approvalId !== undefined) return;
    approvalId = first.id;
    const [once, run, always, deny] = [t('Allow Once'), t('Allow for This Run'), t('Always Allow'), t('Deny')];
    const question = t('{0} wants to call {1} of {2}.', first.agent, first.tool, first.origin);
    const why = first.policy === '' ? [] : [t('The policy wants each such call approved: {0}', first.policy)];
    const detail = services.cover.apply([...why, first.input].join('\n\n'));
    const answers = first.policy === '' ? [run, always, deny] : [once, deny];
    const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...answers);
    approvalId = undefined;
    approvals.decide(first.id, chosen === once ? 'once' : chosen === run ? 'run' : chosen === always ? 'always' : 'deny');
    // Deciding answers what still waits, but not a question that was withdrawn meanwhile.
    await requestApproval(others.filter(({ id }) => id > first.id));
  }
  return approvals.approve;
}
