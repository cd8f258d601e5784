import * as vscode from 'vscode';
import type { EvalProject } from '../../../core/project/evalLoader.js';
import type { ApproveTool } from '../../../core/tools/types.js';
import { Approvals } from '../../panels/run/approvals.js';
import type { ViewApproval } from '../../panels/run/messages.js';
import { ToolGrants } from '../../ports/toolGrants.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** Asks before a tool is called, one question after the other; what is allowed stays so until the eval ends. */
export function createApprove(services: Services, { project }: EvalProject, folder: ProjectFolder): ApproveTool {
  const { t } = vscode.l10n;
  let next = 0;
  let asked: number | undefined;
  const approvals = new Approvals({
    grants: new ToolGrants(services.extension.globalState, folder.root),
    sha256: project.ports.sha256,
    // The user's own: what a workspace says of itself counts for nothing.
    trustedTools: () => vscode.workspace.getConfiguration('agentStack').inspect('mcp.trustedTools')?.globalValue,
    isTrusted: () => vscode.workspace.isTrusted,
    runs: '',
    nextId: () => ++next,
    onChange: (waiting) => void ask(waiting),
  });

  async function ask([first, ...others]: readonly ViewApproval[]): Promise<void> {
    if (first === undefined || asked !== undefined) return;
    asked = first.id;
    const [run, always, deny] = [t('Allow for This Run'), t('Always Allow'), t('Deny')];
    const question = t('{0} wants to call {1} of {2}.', first.agent, first.tool, first.origin);
    const detail = services.cover.apply(first.input);
    const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, run, always, deny);
    asked = undefined;
    approvals.decide(first.id, chosen === run ? 'run' : chosen === always ? 'always' : 'deny');
    // Deciding tells what still waits; a question that was withdrawn meanwhile does not.
    await ask(others.filter(({ id }) => id > first.id));
  }
  return approvals.approve;
}
