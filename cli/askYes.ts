import { namesOf } from '../core/tools/allowedTools.js';
import { deedsWords, reasonWords } from '../core/tools/policyReason.js';
import type { ApproveTool } from '../core/tools/types.js';
import { visibleText } from '../core/visibleText.js';
import type { Cli } from './cli.js';
import { cutLine } from './terminal/fold.js';

/** Whether there is someone to answer a question. */
export function mayAsk({ terminal, stdin }: Cli): boolean {
  return terminal.stderrIsTerminal && stdin.isTTY === true;
}

/** Asks a question on stderr; anything but a yes is a no, and so is the end of the signal. */
export async function askYes({ terminal, stdin }: Cli, question: string, signal?: AbortSignal): Promise<boolean> {
  terminal.writeNote(`${question} [y/N] `);
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: stdin });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    // Ctrl+D.
    lines.once('close', () => resolve(''));
    signal?.addEventListener('abort', () => resolve(''), { once: true });
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Asks about the calls that a policy wants approved, one after the other. Undefined where there is nobody to answer. */
export function askPolicy(cli: Cli): ApproveTool | undefined {
  if (!mayAsk(cli)) return undefined;
  const { terminal } = cli;
  let before: Promise<unknown> = Promise.resolve();
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
      const isAllowed = await askYes(cli, 'Allow this call?', signal);
      return isAllowed ? 'allow' : 'deny';
    };
    const answer = before.then(ask);
    before = answer.catch(() => undefined);
    return answer;
  };
}
