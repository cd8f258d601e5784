import { type ForeignPermits, foreignPermits } from '../../core/inventory/foreignPermits.js';
import { readInventory } from '../../core/inventory/readInventory.js';
import { firstNames } from '../../core/names.js';
import type { RulePlace, Verdict } from '../../core/otherTools/permits.js';
import { permitsReport } from '../../core/permits/permitsReport.js';
import { type ProjectPermits, projectPermits } from '../../core/permits/projectPermits.js';
import { readSubjects } from '../../core/permits/readSubjects.js';
import { loadPatterns } from '../../core/routing/patterns.js';
import { frozenGraph } from '../../core/rules/facts/routingProofs.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { policyOf } from '../../core/snapshot/policy.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, example, exitCodes, type GlobalOptions, type OpenProject, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { environmentOption } from '../optionValues.js';
import { locateRepository } from '../project.js';
import { foreignPermitLines } from '../reports/foreignPermitLines.js';
import { permitLines } from '../reports/permitLines.js';

interface PermitsOptions extends GlobalOptions {
  readonly environment?: string;
}

export const permits: VerbSetup = (command, cli) => {
  command
    .argument('[subject]', 'only agents and orchestrations of this name, or NAME@VERSION (default: all)')
    .option(...environmentOption)
    .addHelpText('after', () => example(cli, ['permits', 'permits Triage', 'permits Triage@v1 --environment prod', 'permits --json']))
    .addHelpText(
      'after',
      '\nLooks at the agents and orchestrations of the project, and at the files of Claude Code, opencode and Kiro in it. What the settings of a\nuser or an organisation add to those is not in a repository. `agent-stack check` holds the policy of system.json.\nExit codes: 0 listed, 2 could not be listed.',
    )
    .action(async (subject: string | undefined) => cli.exit(await showPermits(cli, subject, readOptions<PermitsOptions>(cli, command))));
};

async function showPermits(cli: Cli, wanted: string | undefined, options: PermitsOptions) {
  const { terminal } = cli;
  const project = locateRepository(cli, options);
  const permits = project.isBare ? undefined : await ownPermits(cli, project, wanted, options);
  const inventory = await readInventory(project.files);
  const whole = foreignPermits(inventory);
  const agents = whole.agents.filter(({ agent }) => wanted === undefined || agent === wanted);
  if (wanted !== undefined && agents.length === 0 && (permits?.report.subjects ?? []).length === 0)
    throw unknownSubject(wanted, permits?.names ?? [], whole);
  const files = new Set(agents.flatMap(({ file }) => file ?? []));
  const foreign = { ...whole, agents, rules: wanted === undefined ? whole.rules : whole.rules.filter(({ file }) => files.has(file)) };
  const hasForeign = agents.length > 0 || whole.unread.length > 0;
  if (options.json)
    terminal.print(toSafeJson({ format: 1, ...(permits && permitsReport(permits.report)), other_tools: reportOf(foreign) }));
  else {
    const lineOptions = { styles: terminal.out, pathOf: project.shownPath };
    const parts = [
      ...(permits === undefined || permits.report.subjects.length === 0 ? [] : [permitLines(permits.report, lineOptions)]),
      ...(hasForeign ? [foreignPermitLines(foreign, lineOptions)] : []),
    ];
    if (parts.length > 0) terminal.print(parts.join('\n\n'));
    else terminal.note('No agents, and no files of Claude Code, opencode or Kiro are here.');
  }
  if (inventory.unseen !== undefined) terminal.note(visibleText(inventory.unseen));
  return exitCodes.ok;
}

interface OwnPermits {
  readonly report: ProjectPermits;
  /** Of all agents and orchestrations. */
  readonly names: readonly string[];
}

async function ownPermits(
  cli: Cli,
  { root, files, variables }: OpenProject,
  wanted: string | undefined,
  options: PermitsOptions,
): Promise<OwnPermits> {
  const index = await openCliProject(cli, root, options).index();
  const { environment } = options;
  checkEnvironment(index, environment);
  const prover = { schemas: await loadSchemaCompiler(), patterns: await loadPatterns() };
  const read = await readSubjects({
    files,
    index,
    variables,
    environment_name: environment,
    graphOf: ({ frozen, agents }) => frozenGraph(frozen, agents, prover),
  });
  const { policy } = policyOf(index, environment) ?? {};
  const isWanted = ({ name, version }: { readonly name: string; readonly version?: string }) =>
    wanted === undefined || wanted === name || wanted === `${name}@${version}`;
  return { report: projectPermits(read, policy, isWanted), names: [...new Set(read.subjects.map(({ subject }) => subject.name))] };
}

function unknownSubject(wanted: string, subjects: readonly string[], { agents }: ForeignPermits): UsageError {
  const names = [...new Set([...subjects, ...agents.map(({ agent }) => agent)])];
  return new UsageError(
    `There is no agent or orchestration ${visibleText(wanted)} here.${names.length === 0 ? '' : ` There are: ${visibleText(firstNames(names))}.`}`,
  );
}

/** What `--json` prints of other tools. */
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
  };
}
