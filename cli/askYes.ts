import type { Cli } from './cli.js';

/** Whether there is someone to answer a question. */
export function mayAsk({ terminal, stdin }: Cli): boolean {
  return terminal.stderrIsTerminal && stdin.isTTY === true;
}

/** Asks a question on stderr; anything but a yes is a no. */
export async function askYes({ terminal, stdin }: Cli, question: string): Promise<boolean> {
  terminal.writeNote(`${question} [y/N] `);
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: stdin });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    // Ctrl+D.
    lines.once('close', () => resolve(''));
  });
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
