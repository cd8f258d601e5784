import { Command } from 'commander';
import { type Cli, example } from './cli.js';
import { wrapHelp } from './terminal/wrapHelp.js';
import { verbs } from './verbs/index.js';

/** The whole command line. Verbs are known by name; the one that is used loads and sets itself up before it is parsed. */
export function createProgram(cli: Cli, version: string): Command {
  const { terminal } = cli;
  const program = new Command(cli.name);
  program
    .description('Check, preview and run LLM agents that are kept as JSON files in a repository.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .option('--project <dir>', 'project folder (default: the nearest one upwards)')
    .option('--json', 'machine-readable output')
    .option('--trust', 'run the code of the project, its module of tools (also: AGENT_STACK_TRUST=1; `trust` remembers it)')
    .option('--no-color', 'no colours (also: NO_COLOR, FORCE_COLOR)')
    .configureOutput({
      writeOut: (text) => terminal.write(wrapHelp(text, terminal.columns, cli.name)),
      writeErr: (text) => terminal.writeNote(wrapHelp(text, terminal.columns, cli.name)),
      getOutHasColors: () => true,
      getErrHasColors: () => true,
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
      outputError: (text) => terminal.writeNote(text.replace(/^error:/, terminal.err.red('error:'))),
    })
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 16, styleTitle: (title) => terminal.out.bold(title) })
    .showHelpAfterError(`See "${cli.name} --help".`)
    .exitOverride()
    .helpCommand(false)
    .addHelpText('after', () => example(cli, ['check', 'compose A2 --case parser', 'run A2 --case parser --llm openai', 'help run']));

  for (const verb of verbs) {
    program.command(verb.name).summary(verb.summary).description(sentence(verb.summary));
  }
  // Commander's own help command would show a verb that is not set up yet.
  program
    .command('help [command...]')
    .summary('show help for a command')
    .action(async (names: string[]) => {
      const isKnown = names.length === 0 || program.commands.some((command) => command.name() === names[0]);
      await program.parseAsync(isKnown ? [...names, '--help'] : names, { from: 'user' });
    });
  // Asked by the script of the verb `completion`.
  program
    .command('complete [word...]', { hidden: true })
    .action(async (words: string[]) => (await import('./completion/complete.js')).complete(cli, program, words, setUp));
  program.hook('preSubcommand', (_program, command) => setUp(command));
  program.hook('preAction', () => {
    cli.trust.option = program.opts<{ trust?: true }>().trust === true;
  });
  return program;

  async function setUp(command: Command): Promise<void> {
    const verb = verbs.find(({ name }) => name === command.name());
    if (verb === undefined) return;
    command.showHelpAfterError(`See "${cli.name} ${verb.name} --help".`);
    (await verb.load())(command, cli);
    for (const each of command.commands) each.showHelpAfterError(`See "${cli.name} ${verb.name} ${each.name()} --help".`);
  }
}

function sentence(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
}
