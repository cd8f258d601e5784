import type { Cli } from './cli.js';

/** The examples below a verb's help. */
export function example({ name, terminal }: Pick<Cli, 'name' | 'terminal'>, lines: readonly string[]): string {
  return `\n${terminal.out.bold('Examples:')}\n${lines.map((line) => `  ${name} ${line}`).join('\n')}`;
}
