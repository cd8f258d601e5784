import { namesOf } from '../core/tools/allowedTools.js';
import { deedsWords, reasonWords } from '../core/tools/policyReason.js';
import type { ApproveTool } from '../core/tools/types.js';
import { visibleText } from '../core/visibleText.js';
import type { Cli } from './cli.js';
import { Answers } from './terminal/answers.js';
import { cutLine } from './terminal/fold.js';

/** Whether there is someone to answer a question. */
export function mayAsk({ terminal, stdin }: Cli): boolean {
  return terminal.stderrIsTerminal && stdin.isTTY === true;
}

/** Asks a question on stderr; anything but a yes is a no, and so is the end of the signal. */
export function askYes(cli: Cli, question: string, signal?: AbortSignal): Promise<boolean> {
  return Answers.of(cli).ask(() => readYes(cli, question, signal));
}

/** Within `Answers.ask`. */
async function readYes(cli: Cli, question: string, signal?: AbortSignal): Promise<boolean> {
  cli.terminal.writeNote(`${question} [y/N] `);
  // Undefined after Ctrl+D.
  const answer = await Answers.of(cli).next(signal);
  return /^y(es)?$/i.test((answer ?? '').trim());
}

/** Asks about each call that a policy wants approved. Undefined without a terminal. */
export function askPolicy(cli: Cli): ApproveTool | undefined {
  if (!mayAsk(cli)) return undefined;
  const { terminal } = cli;
  return (request) => {
    const { tool, input, agent_name, team, task, deeds, policy, signal } = request;
    const ask = async () => {
      signal.throwIfAborted();
      const where = team === undefined ? '' : ` in ${visibleText(team)}/${visibleText(task ?? '?')}`;
      const name = namesOf(tool).at(-1) ?? tool.name;
      terminal.note(
        terminal.err.yellow(
          `${visibleText(agent_name)}${where} wants to call ${visibleText(name)}${deeds ? ` (${deedsWords(deeds)})` : ''}:`,
        ),
      );
      terminal.note(`  ${cutLine(JSON.stringify(input), terminal.columns - 2)}`);
      if (policy) terminal.note(`  The policy wants each such call approved: ${visibleText(reasonWords(policy))}`);
      const isAllowed = await readYes(cli, 'Allow this call?', signal);
      return isAllowed ? 'allow' : 'deny';
    };
    return Answers.of(cli).ask(ask);
  };
}
