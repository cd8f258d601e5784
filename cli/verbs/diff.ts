import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { usdText } from '../../core/amounts.js';
import type { LoadedIndex } from '../../core/config/loadProjectIndex.js';
import type { BlameRequest } from '../../core/diff/blameSubjects.js';
import { compareSnapshots } from '../../core/diff/compareSnapshots.js';
import { diffMarkdown } from '../../core/diff/diffMarkdown.js';
import { diffText } from '../../core/diff/diffText.js';
import { subjectWords } from '../../core/diff/subjects.js';
import type { BehaviourDiff, SubjectDiff, SubjectName } from '../../core/diff/types.js';
import { compareWithCommit } from '../../core/node/compareWithCommit.js';
import { findProject, findRepository } from '../../core/node/findProject.js';
import type { EvalProject } from '../../core/project/evalLoader.js';
import { toSafeJson } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, type ExitCode, example, exitCodes, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { type BlameOptions, blameChanges } from '../diffBlame.js';
import { openEvalProject } from '../openCliProject.js';
import { allowToolsOption, parseUsd, toCount } from '../optionValues.js';
import { parseAgent } from '../parseAgent.js';
import { locateProject, projectAt } from '../project.js';
import { findSnapshot, readSpec, type SnapshotSource } from '../snapshotSource.js';

interface DiffOptions extends GlobalOptions, BlameOptions {
  readonly base?: string;
  readonly environment?: string;
  readonly format?: 'text' | 'markdown' | 'json';
  readonly failOn?: readonly FailOn[];
  readonly blame?: true;
}

/** A reason for exit code 1. */
type FailOn = { readonly kind: 'breaking' } | { readonly kind: 'widening' } | { readonly kind: 'cost'; readonly percent: number };

const sides = 'NAME[@VERSION][:ENVIRONMENT], a snapshot file, a run (id, the beginning of it, or "last")';

export const diff: VerbSetup = (command, cli) => {
  command
    .summary('what a change of files changes: prompts, costs, contracts, permissions, routes')
    .description(
      'Show what agents and orchestrations do differently than at a git revision, by whichever file it comes: prompts, costs, contracts, permissions, routes and verdicts. Two of one agent, two snapshots or two runs are compared with each other.',
    )
    .argument(
      '[subject...]',
      `agents and orchestrations to compare with the revision (default: all), or two to compare with each other: ${sides}`,
    )
    .option('--base <ref>', 'git revision to compare with (default: the merge base with the default branch)')
    .option('--env, --environment <name>', 'environment to compare (default: every one)')
    .addOption(new Option('--format <format>', 'output format (default: text)').choices(['text', 'markdown', 'json']))
    .option('--blame', 'ask cases with parts of the change, after asking with the cost, and say which fields moved their verdicts')
    .option('--repeats <n>', 'with --blame: run each case so often, in place of its own "repeats"', toCount(1, 9999))
    .option('--max-cost <usd>', 'with --blame: ask without a question, and make no call that could take its cost above this', parseUsd)
    .option('--concurrency <n>', 'with --blame: runs at the same time', toCount(1, 256), 4)
    .option(...allowToolsOption('the runs of --blame'))
    .option('--fail-on <what>', 'exit with 1 for breaking, widening or cost:+PERCENT%; may be repeated', collectFailOn)
    .addHelpText('after', () =>
      example(cli, [
        'diff',
        'diff --base origin/main --fail-on breaking --fail-on cost:+10%',
        'diff A2@v1 A2@v2',
        'diff A2:dev A2:prod',
        'diff --format markdown',
        'diff A2 --blame --max-cost 0.50',
      ]),
    )
    .addHelpText('after', '\nExit codes: 0 compared, 1 something that --fail-on names, 2 could not compare, 130 --blame was cancelled.')
    .action(async (subjects: string[]) => {
      const options = readDiffOptions(cli, command);
      let isCancelled = false;
      const blame = async (place: EvalProject, request: BlameRequest) => {
        const blamed = await blameChanges(cli, place, request, options);
        ({ isCancelled } = blamed);
        return blamed.subjects;
      };
      const result = await compare(cli, subjects, options, blame);
      print(cli, result, options);
      cli.exit(isCancelled ? exitCodes.cancelled : exitCodeOf(cli, result, options.failOn ?? []));
    });
};

function readDiffOptions(cli: Cli, command: Command): DiffOptions {
  const options = readOptions<DiffOptions>(cli, command);
  if (options.json && options.format !== undefined && options.format !== 'json')
    throw new UsageError(`Give --json or --format ${options.format}, not both.`);
  if (!options.blame && [options.maxCost, options.repeats, options.allowTools].some((value) => value !== undefined))
    throw new UsageError('--max-cost, --repeats and --allow-tools go with --blame.');
  const format = options.json ? 'json' : (options.format ?? 'text');
  if (format === 'json') cli.expectJson();
  return { ...options, format };
}

type AskBlame = (place: EvalProject, request: BlameRequest) => Promise<readonly SubjectDiff[]>;

async function compare(cli: Cli, subjects: readonly string[], options: DiffOptions, blame: AskBlame): Promise<BehaviourDiff> {
  const { base, environment } = options;
  // A project that ended has no folder, or one without its mark; the commit has both.
  const folder = resolve(cli.cwd, options.project ?? '.');
  const isBare = findProject(folder) === undefined && findRepository(folder) !== undefined;
  const { root } = isBare ? projectAt(cli, folder, isBare) : locateProject(cli, options);
  const place = openEvalProject(cli, root, environment === undefined ? {} : { environment });
  const { project } = place;
  const index = await project.index();
  if (environment !== undefined) checkEnvironment(index, environment);
  if (subjects.length === 2 && base === undefined) {
    const pair = await findPair(subjects as [string, string], index, (spec) =>
      findSnapshot(project, cli.cwd, spec, { index, environment }),
    );
    if (pair !== undefined) {
      const compared = await compareSnapshots(...pair);
      if (!options.blame) return compared;
      const baselines = `${index.settings.config_dir}/baselines`;
      const hasBaselines = (await project.ports.files.list(baselines)).length > 0;
      const request: BlameRequest = {
        subjects: compared.subjects,
        index,
        environment: pair[1].value.environment,
        ...(hasBaselines && { against: baselines }),
        sidesOf: async () => pair,
      };
      return { ...compared, subjects: await blame(place, request) };
    }
  }
  const kept = subjects.find((spec) => spec.endsWith('.json'));
  if (kept !== undefined)
    throw new UsageError(`${kept} is compared with one other snapshot file, run, agent or orchestration, without --base: name two.`);
  const choose = (all: readonly SubjectName[]) => {
    // There was no project either: refused as everywhere.
    if (isBare && all.length === 0) locateProject(cli, options);
    const wanted = subjects.map((spec) => findWanted(spec, index, all));
    return (subject: SubjectName) => wanted.length === 0 || wanted.some((each) => isOf(each, subject));
  };
  return compareWithCommit(place, root, {
    index,
    base,
    choose,
    ...(environment !== undefined && { environments: [environment] }),
    ...(options.blame && { blame: (request) => blame(place, request) }),
  });
}

/** The subject that is named, of either side. Without a version all of them. @throws UsageError */
function findWanted(spec: string, index: LoadedIndex, all: readonly SubjectName[]): SubjectName {
  const kinds = new Set(all.flatMap((subject) => (subject.name === spec ? [subject.kind] : [])));
  const [only] = kinds;
  if (only !== undefined && kinds.size === 1) return { kind: only, name: spec };
  const { kind, name } = readSpec(spec, index);
  if (kind === 'orchestration') return { kind, name };
  const [agent_name, version] = parseAgent(name, index);
  const wanted = { kind, name: agent_name, ...(name.includes('@') && { version }) };
  if (!all.some((subject) => isOf(wanted, subject)))
    throw new UsageError(`There is no agent ${spec}, neither in the working tree nor before.`);
  return wanted;
}

function isOf({ kind, name, version }: SubjectName, subject: SubjectName): boolean {
  return kind === subject.kind && name === subject.name && (version ?? subject.version) === subject.version;
}

/** Two subjects to compare with each other: two of one name, or kept snapshots. Undefined for two unrelated agents. */
async function findPair(
  [first, second]: readonly [string, string],
  index: LoadedIndex,
  find: (spec: string) => Promise<SnapshotSource>,
): Promise<readonly [SnapshotSource, SnapshotSource] | undefined> {
  const nameOf = (spec: string) => /^(?:agents\/|orchestrations\/)?([^@:/]+)(?:[@:]|$)/.exec(spec)?.[1] ?? spec;
  // Agents may have names such as `feed`, which a run could begin with.
  const isNamed = (spec: string) => index.versions(spec).length > 0 || index.ids('orchestration').has(spec);
  const isKept = (spec: string) => spec.endsWith('.json') || spec === 'last' || (/^[0-9a-f][0-9a-f-]{3,}$/.test(spec) && !isNamed(spec));
  const isPair = nameOf(first) === nameOf(second) || isKept(first) || isKept(second);
  return isPair ? [await find(first), await find(second)] : undefined;
}

function print({ terminal }: Cli, result: BehaviourDiff, { format }: DiffOptions): void {
  if (format === 'json') terminal.print(toSafeJson(result));
  else if (format === 'markdown') terminal.print(diffMarkdown(result));
  else terminal.print(diffText(result, { styles: terminal.out, columns: terminal.columns }));
}

function exitCodeOf({ terminal }: Cli, { subjects, not_compared }: BehaviourDiff, failOn: readonly FailOn[]): ExitCode {
  const reasons = failOn.flatMap((what) => subjects.flatMap((subject) => reasonOf(what, subject)));
  for (const reason of new Set(reasons)) terminal.note(reason);
  if (failOn.length > 0 && not_compared.length > 0)
    terminal.note(`--fail-on does not cover what was not compared: ${plural(not_compared.length, 'item')}, listed at the end.`);
  return reasons.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Unknown effects count as well, since they may be widenings or breaks. */
function reasonOf(what: FailOn, subject: SubjectDiff): string | [] {
  const { broken, permissions, contract, costs } = subject;
  const words = subjectWords(subject);
  if (broken?.side === 'after') return `${words} cannot run: ${broken.findings[0]?.message ?? 'see `check`'}`;
  if (what.kind === 'widening')
    return firstOf(
      permissions.find(({ direction }) => direction !== 'narrowed'),
      words,
    );
  if (what.kind === 'breaking')
    return firstOf(
      contract.find(({ effect }) => effect !== 'compatible'),
      words,
    );
  const [before, after] = [costs?.maximum_before, costs?.maximum_after];
  if (before === undefined || after === undefined || before === null || after === null) return [];
  if (before.limit === null) return [];
  if (after.limit === null) return `${words}: it is no longer known what a run costs at most.`;
  const most = before.limit * (1 + what.percent / 100);
  return after.limit > most ? `${words}: a run may cost ${usdText(after.limit)}, before at most ${usdText(before.limit)}.` : [];
}

function firstOf(change: { readonly message: string } | undefined, words: string): string | [] {
  return change === undefined ? [] : `${words}: ${change.message}`;
}

function collectFailOn(written: string, earlier: readonly FailOn[] = []): readonly FailOn[] {
  if (written === 'breaking' || written === 'widening') return [...earlier, { kind: written }];
  const percent = /^cost:\+(\d+(?:\.\d+)?)%$/.exec(written)?.[1];
  if (percent === undefined) throw new InvalidArgumentError('Write breaking, widening or cost:+PERCENT%, such as cost:+10%.');
  return [...earlier, { kind: 'cost', percent: Number(percent) }];
}
