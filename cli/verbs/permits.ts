import { type ForeignPermits, foreignPermits } from '../../core/inventory/foreignPermits.js';
import { readInventory } from '../../core/inventory/readInventory.js';
import type { RulePlace, Verdict } from '../../core/otherTools/permits.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { type Cli, example, exitCodes, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { locateRepository } from '../project.js';
import { foreignPermitLines } from '../reports/foreignPermitLines.js';

export const permits: VerbSetup = (command, cli) => {
  command
    .argument('[agent]', 'only agents of this name (default: all)')
    .addHelpText('after', () => example(cli, ['permits', 'permits reviewer', 'permits --json']))
    .addHelpText(
      'after',
      '\nLooks at the files of Claude Code, opencode and Kiro. What the settings of a user or an organisation add is not in a repository.\nExit codes: 0 listed, 2 could not be listed.',
    )
    .action(async (agent: string | undefined) => cli.exit(await showPermits(cli, agent, readOptions<GlobalOptions>(cli, command))));
};

async function showPermits(cli: Cli, wanted: string | undefined, options: GlobalOptions) {
  const { terminal } = cli;
  const project = locateRepository(cli, options);
  const inventory = await readInventory(project.files);
  const whole = foreignPermits(inventory);
  const agents = whole.agents.filter(({ agent }) => wanted === undefined || agent === wanted);
  if (wanted !== undefined && agents.length === 0) {
    const names = [...new Set(whole.agents.map(({ agent }) => agent))];
    throw new UsageError(
      `No file of Claude Code, opencode or Kiro here defines an agent ${visibleText(wanted)}.${names.length === 0 ? '' : ` There are: ${visibleText(names.join(', '))}.`}`,
    );
  }
  const files = new Set(agents.flatMap(({ file }) => file ?? []));
  const report = { ...whole, agents, rules: wanted === undefined ? whole.rules : whole.rules.filter(({ file }) => files.has(file)) };
  if (options.json) terminal.print(toSafeJson(reportOf(report)));
  else if (agents.length === 0 && whole.unread.length === 0) terminal.note('No files of Claude Code, opencode or Kiro are here.');
  else terminal.print(foreignPermitLines(report, { styles: terminal.out, pathOf: project.shownPath }));
  if (inventory.unseen !== undefined) terminal.note(visibleText(inventory.unseen));
  return exitCodes.ok;
}

/** What `--json` prints. */
function reportOf({ agents, rules, unread, lineOf }: ForeignPermits) {
  const placed = (by: RulePlace | undefined) =>
    by && { by: { rule: by.text, file: by.file, line: lineOf(by) ?? null, pointer: by.pointer } };
  const verdict = ({ outcome, by, because, except }: Verdict) => ({
    outcome,
    ...placed(by),
    ...(because !== undefined && { because }),
    except: except.map((part) => ({ what: part.what, outcome: part.outcome, ...placed(part.by) })),
  });
  return {
    format: 1,
    other_tools: {
      agents: agents.map(({ tool, agent, role, folder, file, powers, servers, wider, unknown }) => ({
        tool,
        agent,
        role,
        folder,
        ...(file !== undefined && { file }),
        may: { read: verdict(powers.read), write: verdict(powers.write), send: verdict(powers.send), run: verdict(powers.run) },
        servers: servers.map((entry) => ({ server: entry.server, tools: entry.tools ?? null, ...verdict(entry) })),
        more_than_its_caller: wider,
        not_known: unknown,
      })),
      rules: rules.map(({ kind, code, severity, file, line, column, message }) => ({ kind, code, severity, file, line, column, message })),
      unread,
    },
  };
}
