import { CommanderError } from 'commander';
import { AgentStackError, CancelledError, ConfigInvalidError, ConfigSyntaxError, InputInvalidError, StorageError } from '../core/errors.js';
import { FileProblem } from '../core/ports.js';
import { toSafeJson, visibleLines, visibleText } from '../core/visibleText.js';
import { type Cli, type ExitCode, exitCodes, UsageError } from './cli.js';

/**
 * What a failed command says: one line on stderr for what a user can cause (config errors with their code, as `check` prints
 * them), the stack for a bug. With `json` the error is on stdout too, as `{error: {code, message, details?, recoverable}}`.
 */
export async function reportError(error: unknown, cli: Cli, mode: 'text' | 'json'): Promise<ExitCode> {
  const { terminal } = cli;
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  if (isHelp) return exitCodes.ok;
  if (mode === 'json') terminal.print(toSafeJson({ error: await toJson(error) }));
  // Commander has already printed its message.
  if (error instanceof CommanderError) return exitCodes.unusable;
  if (error instanceof CancelledError) {
    terminal.note(terminal.err.yellow('Cancelled.'));
    return exitCodes.cancelled;
  }
  const message = messageOf(error);
  if (error instanceof ConfigSyntaxError || error instanceof ConfigInvalidError) await printFindings(error, cli);
  else if ((await codeOf(error)) !== 'internal') {
    terminal.note(`${terminal.err.red('error:')} ${visibleText(message)}`);
    const { inputHint = 'Give the input with --input FILE or --set KEY=VALUE.' } = cli;
    if (error instanceof InputInvalidError && inputHint !== '') terminal.note(inputHint);
  } else {
    terminal.note(`${terminal.err.red('bug:')} ${visibleLines((error instanceof Error && error.stack) || message)}`);
    terminal.note('This is a fault of Agent Stack, not of your files. Please report it with the lines above.');
  }
  // What was asked has been paid for.
  return error instanceof StorageError && error.eval_id !== undefined ? exitCodes.unknown : exitCodes.unusable;
}

async function toJson(error: unknown) {
  const code = await codeOf(error);
  if (error instanceof AgentStackError) {
    const { message, details, recoverable } = error;
    return { code, message, ...(details && { details }), recoverable };
  }
  return { code, message: error instanceof CommanderError ? wordsOf(error) : messageOf(error), recoverable: false };
}

/** `internal` is a bug; everything else a user can cause and put right. */
async function codeOf(error: unknown): Promise<string> {
  if (error instanceof AgentStackError || error instanceof UsageError) return error.code;
  if (error instanceof CommanderError) return 'usage';
  if (error instanceof FileProblem) return 'storage';
  const { GitBaseError } = await import('../core/node/git.js');
  return error instanceof GitBaseError ? error.reason : 'internal';
}

/** Without the label that terminals get, and the mark that stands for help shown because no command was named. */
function wordsOf({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'No command was named.' : message.replace(/^error: /, '');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function printFindings(error: ConfigSyntaxError | ConfigInvalidError, { terminal, project }: Cli) {
  const { err: styles, columns } = terminal;
  if (error.findings.length === 0 || project === undefined) {
    terminal.note(`${styles.red('error:')} ${visibleText(error.message)}`);
    return;
  }
  const [{ textReport }, { summaryLine }] = await Promise.all([import('./reports/text.js'), import('./reports/summaryLine.js')]);
  const { shownPath: pathOf, textOf, root, hasChangedTexts } = project;
  for await (const lines of textReport(error, { styles, columns, pathOf, textOf, ...(!hasChangedTexts && { root }) })) terminal.note(lines);
  const files = new Set(error.findings.map(({ file }) => file)).size;
  terminal.note(summaryLine({ findings: error.findings, files }, styles));
}
