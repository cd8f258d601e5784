import type { Command } from 'commander';
import type { Environment, FileSystem, KnownSecrets } from '../core/ports.js';
import type { Terminal } from './terminal/terminal.js';

/** What a verb works with: the process around it, so that nothing below `main` touches globals. */
export interface Cli {
  readonly terminal: Terminal;
  /** Every secret that the command has looked up; the terminal covers them. */
  readonly knownSecrets: KnownSecrets;
  /** Absolute path. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  /** For a protocol that is spoken over it; words for users go through the terminal. */
  readonly stdout: NodeJS.WriteStream;
  /** The project the verb opened last: errors that name its files are shown with their code. */
  project: OpenProject | undefined;
  /** What to say below an error about the input: the cases there are. Default: how to give one; empty: nothing. */
  inputHint: string | undefined;
  /** Whether the code of the project may run. */
  readonly trust: CodeTrust;
  /** As help texts spell the command: `agent-stack`, or `npx agent-stack` where it was started so. */
  readonly name: string;
  /** Ends the command with this code once its output is written. */
  exit(code: ExitCode): void;
  /** Errors go to stdout as `{error}` too: the caller has chosen JSON. */
  expectJson(): void;
  /** Stdout has its one JSON value: a later error goes to stderr alone. */
  hasPrintedJson(): void;
}

/** What is known of whether the user trusts the project. */
export interface CodeTrust {
  /** `--trust`. */
  option: boolean;
  /** Made when there is code, once: the user is asked at most once. */
  decision?: Promise<boolean>;
  /** Whether it was said that the code was left alone. */
  isReported?: boolean;
}

/** The project a command works on: its folder, its files, and how its paths are written for each reader. */
export interface OpenProject {
  /** Absolute path without symbolic links. */
  readonly root: string;
  /** Whether it is no project, but a folder with files of other tools, or none. */
  readonly isBare: boolean;
  readonly files: FileSystem;
  readonly variables: Environment;
  /** An absolute path as a project path; undefined when it is outside. The project itself is the empty string. */
  toProjectPath(path: string): string | undefined;
  /** A project path as seen from the working directory, so that terminals can open it. */
  shownPath(file: string): string;
  /** A project path as CI sees it: from the root of its checkout, or from the working directory; never above either. */
  repositoryPath(file: string): string;
  /** The text of a project file, or undefined when it cannot be read. */
  textOf(file: string): Promise<string | undefined>;
  /** Some texts are not those on the disk, for which fixes are computed. Default false. */
  readonly hasChangedTexts?: boolean;
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

/** The examples below a verb's help. */
export function example({ name, terminal }: Pick<Cli, 'name' | 'terminal'>, lines: readonly string[]): string {
  return `\n${terminal.out.bold('Examples:')}\n${lines.map((line) => `  ${name} ${line}`).join('\n')}`;
}

/** The command was called in a way it cannot work. The message says what to do instead; it ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** As programs see it: what was typed is wrong, or what the input it names holds. */
  readonly code: 'usage' | 'input-invalid';

  constructor(message: string, code: UsageError['code'] = 'usage') {
    super(message);
    this.code = code;
  }
}

/** Exit codes of every verb. `check` uses 0, 1 and 2; `run` these and 130; `eval` all. */
export const exitCodes = {
  /** Done: no errors found, the run completed. */
  ok: 0,
  /** `check` found errors or too many warnings; `run` failed, an orchestration failed or is partial, a case of `eval` failed. */
  failed: 1,
  /** Nothing was done: wrong usage, a config or input that cannot be used, no project. */
  unusable: 2,
  /** `eval`: nothing failed, and something could not be judged. */
  unknown: 3,
  /** Ctrl+C, SIGTERM, or the reader of a run's output went away. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What was typed. With `--json`, errors are JSON from here on. */
export function readOptions<Options extends GlobalOptions>(cli: Cli, command: Command): Options {
  const options = command.optsWithGlobals<Options>();
  if (options.json) cli.expectJson();
  return options;
}
