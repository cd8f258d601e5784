import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';
import { type Candidates, findCandidates } from './candidates.js';

/**
 * Prints the completions of the last word, each with its description after a tab, and `:files` where names of files are completions too. A
 * shell asks at the Tab key, where it shows no error: so errors are ignored.
 *
 * @param words what stands after the program's name
 * @param setUp of a verb, which is set up only when it is used
 */
export async function complete(
  cli: Cli,
  program: Command,
  words: readonly string[],
  setUp: (verb: Command) => Promise<void>,
): Promise<void> {
  const name = words.slice(0, -1).find((word) => !word.startsWith('-'));
  const verb = program.commands.find((each) => each.name() === name);
  if (verb !== undefined) await setUp(verb);
  const { candidates, hasFiles } = await candidatesOf(cli, program, words);
  for (const { value, description } of candidates) cli.terminal.print(`${value}\t${description}`);
  if (hasFiles) cli.terminal.print(':files');
}

async function candidatesOf(cli: Cli, program: Command, words: readonly string[]): Promise<Candidates> {
  try {
    const project = locateProject(cli, {});
    return await findCandidates(program, words, { project, index: () => openCliProject(cli, project.root, { code: 'never' }).index() });
  } catch {
    // Without a project, or with one that cannot be read, the commands and options are still known.
    return findCandidates(program, words, undefined);
  }
}
