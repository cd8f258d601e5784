import type { AskUnfinished, UnfinishedAnswer } from '../core/durable.js';
import { visibleText } from '../core/visibleText.js';
import type { Cli } from './cli.js';
import { cutLine } from './terminal/fold.js';

/**
 * Decides what becomes of calls that were under way when a run was interrupted: by the option, else by asking the person at the terminal.
 * Undefined where there is neither: the run then stops at such a call.
 */
export function askUnfinished(cli: Cli, option: UnfinishedAnswer | undefined): AskUnfinished | undefined {
  const { terminal } = cli;
  if (option !== undefined) return async () => option;
  if (!terminal.stderrIsTerminal || cli.stdin.isTTY !== true) return undefined;
  return async ({ tool, input, team, task }) => {
    const { createInterface } = await import('node:readline/promises');
    const { yellow, bold } = terminal.err;
    const where = team === undefined ? '' : ` (${visibleText(team)}/${visibleText(task ?? '?')})`;
    terminal.note(yellow(`A call was begun before the run was interrupted, and it is unknown whether it happened${where}:`));
    terminal.note(`  ${bold(visibleText(tool))} ${cutLine(JSON.stringify(input), terminal.columns - tool.length - 3)}`);
    const lines = createInterface({ input: cli.stdin, output: process.stderr });
    try {
      for (;;) {
        const answer = (await lines.question('Make it again, or treat it as failed? [repeat/skip, Enter to stop here] '))
          .trim()
          .toLowerCase();
        if (answer === '') return undefined;
        if (answer === 'repeat' || answer === 'r') return 'repeat';
        if (answer === 'skip' || answer === 's') return 'skip';
      }
    } finally {
      lines.close();
    }
  };
}
