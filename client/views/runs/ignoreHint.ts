import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

const dismissed = 'agentStack.ignoreHint.dismissed';

/**
 * Tells, once a workspace, when git would take the runs in. The run folder keeps itself out of version control with its .gitignore;
 * this is for those who have changed it, and for runs that git tracks already.
 */
export async function hintAtIgnoring({ memory, log }: Services, folder: ProjectFolder): Promise<void> {
  if (memory.get(dismissed) === true || (await isIgnored(folder, log)) !== false) return;
  await memory.update(dismissed, true);
  const ignore = vscode.l10n.t('Ignore Them');
  const message = vscode.l10n.t('Git does not ignore the runs of {0}: prompts and answers in .agentstack would be committed.', folder.name);
  const chosen = await vscode.window.showInformationMessage(message, ignore, vscode.l10n.t("Don't Show Again"));
  if (chosen !== ignore) return;
  const { createNodeFiles } = await import('../../../core/node/nodeFiles.js');
  await createNodeFiles(folder.root).writeText('.agentstack/.gitignore', '*\n');
}

/** Undefined where there is no repository, or no git. */
async function isIgnored({ root }: ProjectFolder, log: vscode.LogOutputChannel): Promise<boolean | undefined> {
  const { gitEnvironment, ownGitOnly } = await import('../../../core/node/git.js');
  return new Promise((resolve) => {
    const args = [...ownGitOnly, 'check-ignore', '--quiet', '--', '.agentstack/runs/run/result.json'];
    const git = spawn('git', args, { cwd: root, env: gitEnvironment(), stdio: 'ignore', windowsHide: true });
    git.once('error', (error) => {
      log.debug(`git cannot be asked: ${error.message}`);
      resolve(undefined);
    });
    git.once('exit', (code) => resolve(code === 0 ? true : code === 1 ? false : undefined));
  });
}
