import { CommanderError } from 'commander';
import { AgentStackError, CancelledError, ConfigInvalidError, ConfigSyntaxError, InputInvalidError } from '../core/errors.js';
import { FileProblem } from '../core/ports.js';
import type { Cli } from './cli.js';
import { type ExitCode, exitCodes } from './exitCodes.js';
import { visibleText } from './terminal/visibleText.js';
import { UsageError } from './usageError.js';

/**
 * What a failed command says: one line on stderr for what a user can cause (config errors with their code, as `check` prints
 * them), the stack for a bug. With `json` the error is on stdout too, as `{error: {code, message, details?, recoverable}}`.
 */
export async function reportError(error: unknown, cli: Cli, mode: 'text' | 'json'): Promise<ExitCode> {
  const { terminal } = cli;
  // Commander has already printed its message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.unusable;
  if (mode === 'json') terminal.print(JSON.stringify({ error: toJson(error) }, null, 2));
  if (error instanceof CancelledError) {
    terminal.note(terminal.err.yellow('Cancelled.'));
    return exitCodes.cancelled;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigSyntaxError || error instanceof ConfigInvalidError) await printFindings(error, cli);
  else if (await isExpected(error)) {
    terminal.note(`${terminal.err.red('error:')} ${visibleText(message)}`);
    if (error instanceof InputInvalidError) terminal.note(cli.inputHint ?? 'Give the input with --input FILE or --set KEY=VALUE.');
  } else {
    terminal.note(`${terminal.err.red('bug:')} ${error instanceof Error ? error.stack : message}`);
    terminal.note('This is a fault of Agent Stack, not of your files. Please report it with the lines above.');
  }
  return exitCodes.unusable;
}

/** What a user can cause and put right, as opposed to a bug. */
async function isExpected(error: unknown): Promise<boolean> {
  if (error instanceof AgentStackError || error instanceof UsageError || error instanceof FileProblem) return true;
  const { GitBaseError } = await import('../core/node/gitBase.js');
  return error instanceof GitBaseError;
}

function toJson(error: unknown) {
  if (error instanceof AgentStackError) {
    const { code, message, details, recoverable } = error;
    return { code, message, ...(details && { details }), recoverable };
  }
  const code = error instanceof UsageError ? 'usage' : error instanceof FileProblem ? 'storage' : 'internal';
  return { code, message: error instanceof Error ? error.message : String(error), recoverable: false };
}

async function printFindings(error: ConfigSyntaxError | ConfigInvalidError, { terminal, project }: Cli) {
  const { err: styles, columns } = terminal;
  if (error.findings.length === 0 || project === undefined) {
    terminal.note(`${styles.red('error:')} ${visibleText(error.message)}`);
    return;
  }
  const { summaryLine, textReport } = await import('./reports/text.js');
  const { shownPath: pathOf, textOf } = project;
  for await (const lines of textReport(error, { styles, columns, pathOf, textOf })) terminal.note(lines);
  const files = new Set(error.findings.map(({ file }) => file)).size;
  terminal.note(summaryLine({ findings: error.findings, files }, styles));
}
