import type { Command } from 'commander';
import { evalsFolder } from '../core/eval/runner/evalStore.js';
import { createJournalFiles } from '../core/node/journalFiles.js';
import { createKeptFolders, createKeptJournals } from '../core/node/keptFolders.js';
import { createRunLocks } from '../core/node/runLocks.js';
import { createKeptEvals, type KeptEvals } from '../core/project/keptEvals.js';
import { createKeptRuns, type KeptRuns } from '../core/project/keptRuns.js';
import type { KeptStore, Obstacle } from '../core/project/keptStore.js';
import { runsFolder } from '../core/run/readRuns.js';
import { toSafeJson } from '../core/visibleText.js';
import { plural } from '../core/words.js';
import { type Cli, example, type GlobalOptions, type OpenProject, readOptions, UsageError } from './cli.js';
import { toAge, toCount } from './optionValues.js';
import { locateProject } from './project.js';

export function openKeptRuns({ root, files }: OpenProject): KeptRuns {
  return createKeptRuns({ files, folders: createKeptFolders(root, runsFolder), journals: createKeptJournals(root) });
}

export function openKeptEvals({ root, files }: OpenProject): KeptEvals {
  return createKeptEvals({ files, storage: createJournalFiles(root) }, createKeptFolders(root, evalsFolder));
}

interface PruneOptions extends GlobalOptions {
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly keep?: number;
  readonly unfinished?: true;
  readonly dryRun?: true;
}

/** What `prune` did. */
export interface PruneReport {
  readonly deleted: readonly string[];
  readonly kept: readonly { readonly id: string; readonly why: string }[];
  readonly isDryRun: boolean;
  readonly json: boolean;
}

interface PruneVerb<Store> {
  readonly command: 'runs' | 'eval';
  readonly noun: 'run' | 'eval';
  /** How many of the newest an example lists. */
  readonly keep: number;
  /** What `--unfinished` takes too. */
  readonly unfinished: string;
  readonly open: (project: OpenProject) => Store;
  readonly tell: (report: PruneReport, store: Store) => void | Promise<void>;
}

/** The options and the work of `runs prune` and `eval prune`. */
export function addPrune<Store extends KeptStore>(command: Command, cli: Cli, verb: PruneVerb<Store>): void {
  const { noun, keep } = verb;
  command
    .option('--older-than <age>', `${noun}s last written to before this age: 12h, 30d, 8w`, toAge)
    .option('--keep <n>', `keep the newest n ${noun}s, regardless of age`, toCount(0))
    .option('--unfinished', `also ${noun}s that could still be resumed${verb.unfinished}`)
    .option('--dry-run', 'list what would be deleted, and delete nothing')
    .addHelpText('after', () => example(cli, [`${verb.command} prune --older-than 30d --dry-run`, `${verb.command} prune --keep ${keep}`]))
    .addHelpText('after', '\nExit codes: 0 done, 2 the command cannot be used.')
    .action(async () => {
      const options = command.optsWithGlobals<PruneOptions>();
      const { json = false, olderThan, unfinished = false, dryRun = false } = options;
      if (json) cli.expectJson();
      if (olderThan === undefined && options.keep === undefined)
        throw new UsageError(`Say which: --older-than 30d, --keep ${keep}, or both.`);
      const store = verb.open(locateProject(cli, options));
      const before = olderThan === undefined ? undefined : Date.now() - olderThan;
      const { deleted, kept } = await store.prune({ before, keep: options.keep ?? 0, unfinished, dryRun });
      await verb.tell(
        { deleted, kept: kept.map(({ id, ...obstacle }) => ({ id, why: whyKept(obstacle) })), isDryRun: dryRun, json },
        store,
      );
    });
}

function whyKept({ kind, words }: Obstacle): string {
  if (kind === 'unfinished') return `${words} (--unfinished takes it too)`;
  return kind === 'unseen' ? `${words} (--older-than says how long it must have been silent)` : words;
}

/** What became of runs and journals. */
export function reportDeletedRuns(
  { terminal }: Cli,
  { deleted, kept, isDryRun, json }: PruneReport,
  journals: Awaited<ReturnType<KeptRuns['deleteJournals']>>,
): void {
  if (journals.problem !== null)
    terminal.note(terminal.err.yellow(`Journals were left alone, since a run may need any of them. ${journals.problem}`));
  if (json) {
    const rows = kept.map(({ id, why }) => ({ run_id: id, why }));
    terminal.print(toSafeJson({ deleted, kept: rows, journals: journals.deleted, dry_run: isDryRun }));
    return;
  }
  for (const run_id of deleted) terminal.print(run_id);
  for (const { id, why } of kept) terminal.note(terminal.err.yellow(`${id} ${why}.`));
  const verb = isDryRun ? 'would be deleted' : 'deleted';
  terminal.note(
    `${plural(deleted.length, 'run')} ${verb}${journals.deleted.length > 0 ? `, and ${plural(journals.deleted.length, 'journal')}` : ''}`,
  );
}

interface UnlockVerb {
  readonly command: 'runs' | 'eval';
  readonly noun: 'run' | 'eval';
  /** Project path of the folder that has a folder for each. */
  readonly keptIn: string;
  readonly find: (files: OpenProject['files'], written: string) => Promise<string>;
}

/** `runs unlock` and `eval unlock`. */
export function addUnlock(command: Command, cli: Cli, { command: group, noun, keptIn, find }: UnlockVerb): void {
  const article = noun === 'eval' ? 'an' : 'a';
  command
    .summary(`unlock ${article} ${noun} that a process of another machine holds`)
    .description(
      `Free ${article} ${noun} from a process of another machine or container that is gone, which cannot be seen from here. Says which process that is and when the ${noun} was last written to; does it with --force.`,
    )
    .argument('<id>', `id of the ${noun}, its beginning, or "last"`)
    .option(
      '--force',
      `free the ${noun}; only if that process has ended for certain, since two processes would do everything twice and damage its files`,
    )
    .addHelpText('after', () => example(cli, [`${group} unlock last`, `${group} unlock 0193f1c2 --force`]))
    .addHelpText('after', `\nExit codes: 0 the ${noun} is free, 2 it is unchanged.`)
    .action(async (written: string) => {
      const options = readOptions<GlobalOptions & { readonly force?: true }>(cli, command);
      const { root, files } = locateProject(cli, options);
      const id = await find(files, written);
      const folders = createKeptFolders(root, keptIn);
      const held = folders.holderOf(id);
      const { terminal } = cli;
      if (held?.is_seen)
        throw new UsageError(`The ${noun} ${id} is still running (${held.held_by}). Wait for its end, or end that process.`);
      if (held !== undefined) {
        const age = ageOf(Date.now() - folders.lastWritten(id));
        const what = `The ${noun} ${id} belongs to ${held.held_by}. It was last written to ${age} ago.`;
        if (options.force !== true)
          throw new UsageError(
            `${what} If that process no longer runs, add --force. If it still does, both work on the ${noun}: calls are made twice and its files break.`,
          );
        createRunLocks(root, keptIn).unlock(id);
        terminal.note(terminal.err.yellow(`${what} It is free now.`));
      } else terminal.note(`The ${noun} ${id} is free: no process has it.`);
      if (options.json) terminal.print(toSafeJson({ [`${noun}_id`]: id, was_held_by: held?.held_by ?? null }));
    });
}

/** As people say it. A clock that went back makes it no less than nothing. */
function ageOf(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return plural(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
}
