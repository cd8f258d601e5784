import { Argument } from 'commander';
import { example, type VerbSetup } from '../cli.js';
import { type Shell, scripts } from '../completion/scripts.js';

export const completion: VerbSetup = (command, cli) => {
  command
    .description('Print a script that completes commands, options and names of the project at the Tab key.')
    .addArgument(new Argument('<shell>', 'the shell in use').choices(Object.keys(scripts)))
    .addHelpText('after', () =>
      example(cli, [
        'completion bash > ~/.agent-stack.bash',
        'completion zsh > ~/.agent-stack.zsh',
        'completion fish \\\n      > ~/.config/fish/completions/agent-stack.fish',
      ]),
    )
    .addHelpText('after', '\nBash and zsh source their file at the end of ~/.bashrc or ~/.zshrc, zsh after compinit; fish finds it there.')
    .action((shell: Shell) => cli.terminal.print(scripts[shell].trimEnd()));
};
