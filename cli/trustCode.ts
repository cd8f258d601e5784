import { relative, sep } from 'node:path';
import type { LoadTools } from '../core/node/ownTools/importTools.js';
import { createToolsLoader } from '../core/node/ownTools/toolsProcess.js';
import { openTrustStore } from '../core/node/trustStore.js';
import { UntrustedCodeError } from '../core/project/ownTools.js';
import { visibleText } from '../core/visibleText.js';
import { askYes, mayAsk } from './askYes.js';
import { type Cli, UsageError } from './cli.js';

/** The variable by which scripts and CI say whether they trust a project. */
const variable = 'AGENT_STACK_TRUST';

/**
 * Loads modules of tools where the user trusts the project: by `--trust` or the variable, by what they said once (`agent-stack trust`), or by what
 * they answer now, at a terminal.
 *
 * @param isReported whether the findings of the command report untrusted code; otherwise a line on stderr does
 */
export function createTrustedLoader(cli: Cli, isReported: boolean): LoadTools {
  const load = createToolsLoader({ env: cli.env });
  return async (module) => {
    const path = `./${relative(module.root, module.path).split(sep).join('/')}`;
    cli.trust.decision ??= decide(cli, module.root, path);
    if (await cli.trust.decision) return load(module);
    if (!isReported && !cli.trust.isReported)
      cli.terminal.note(
        cli.terminal.err.yellow(`${visibleText(path)} was not loaded: it is code, and \`${cli.name} trust\` lets commands run it.`),
      );
    cli.trust.isReported = true;
    throw new UntrustedCodeError();
  };
}

/** @throws UsageError for a variable that says neither yes nor no, FileProblem where it is not known what the user said once */
async function decide(cli: Cli, root: string, path: string): Promise<boolean> {
  if (cli.trust.option) return true;
  const setting = cli.env[variable] ?? '';
  if (/^(1|true|yes)$/i.test(setting)) return true;
  if (/^(0|false|no)$/i.test(setting)) return false;
  if (setting !== '') throw new UsageError(`${variable} is ${JSON.stringify(setting)}: set it to 1 or 0.`);
  const store = openTrustStore({ get: (name) => cli.env[name], names: () => Object.keys(cli.env) });
  const trust = store.get(root);
  if (trust !== undefined) return trust === 'trusted';
  if (!(await ask(cli, path))) return false;
  store.set(root, 'trusted');
  return true;
}

/** False where there is no one to ask. */
async function ask(cli: Cli, path: string): Promise<boolean> {
  const { terminal, name } = cli;
  if (!mayAsk(cli)) return false;
  terminal.endLine();
  terminal.note(`\`${name} untrust\` takes a yes back, and ends the question.`);
  return askYes(cli, `${visibleText(path.slice(2))} is code of this project. Run it?`);
}
