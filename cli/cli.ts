import type { Command } from 'commander';
import type { ExitCode } from './exitCodes.js';
import type { OpenProject } from './project.js';
import type { Terminal } from './terminal/terminal.js';

/** What a verb works with: the process around it, so that nothing below `main` touches globals. */
export interface Cli {
  readonly terminal: Terminal;
  /** Absolute path. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  /** The project the verb opened last: errors that name its files are shown with their code. */
  project: OpenProject | undefined;
  /** What to say below an error about the input: the sample inputs there are. */
  inputHint: string | undefined;
  /** The first file of a thread that helps `check`. */
  readonly checkThread: URL;
  /** `agentstack`, as help texts spell it. */
  readonly name: string;
  /** Ends the command with this code once its output is written. */
  exit(code: ExitCode): void;
  /** Errors go to stdout as `{error}` too: the caller asked for JSON. */
  expectJson(): void;
  /** Stdout has its one JSON value: an error after it is told on stderr alone. */
  hasPrintedJson(): void;
}

/** Options every verb has. */
export interface GlobalOptions {
  readonly project?: string;
  readonly json?: boolean;
}

/** Adds arguments, options, examples and action to the verb's command. Runs only when the verb is used. */
export type VerbSetup = (command: Command, cli: Cli) => void;

export interface Verb {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<VerbSetup>;
}
