import type { Command } from 'commander';
import { createProgram } from '../../cli/program.js';
import { cliFor } from '../cli/cliFor.js';
import { root } from './pages.js';

/** Whether the program understands these words: verb, arguments, options and their values. Nothing is done. @throws what it says otherwise */
export async function understand(words: readonly string[]): Promise<void> {
  const program = quietProgram();
  program.hook('preSubcommand', (_program, command) => {
    for (const each of all(command)) each.action(() => undefined);
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    const { exitCode, message } = error as { readonly exitCode?: number; readonly message: string };
    // Help and the version end the program too.
    if (exitCode !== 0) throw new Error(`agent-stack ${words.join(' ')}: ${message}`);
  }
}

/** The options of a verb, those of its subcommands and of the program included. */
export async function optionsOf(verb: string): Promise<ReadonlySet<string> | undefined> {
  const program = quietProgram();
  let found: Set<string> | undefined;
  program.hook('preSubcommand', (_program, command) => {
    found = new Set([...all(command), program].flatMap(({ options }) => options.flatMap(({ long, short }) => [long ?? '', short ?? ''])));
    for (const each of all(command)) each.action(() => undefined);
  });
  await program.parseAsync([verb, '--help'], { from: 'user' }).catch(() => undefined);
  return found?.add('--help');
}

function quietProgram(): Command {
  const program = createProgram(cliFor(root), '0.0.0');
  program.hook('preSubcommand', (_program, command) => silence(command));
  silence(program);
  return program;
}

function silence(command: Command): void {
  for (const each of all(command))
    each.configureOutput({ writeOut: () => undefined, writeErr: () => undefined, outputError: () => undefined });
}

function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)];
}
