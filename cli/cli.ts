import type { Command } from 'commander';
import type { Environment, FileSystem, KnownSecrets } from '../core/ports.js';
import type { ExitCode } from './exitCodes.js';
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
  /** What to say below an error about the input: the sample inputs there are. */
  inputHint: string | undefined;
  /** As help texts spell the command: `agent-stack`, or `npx agent-stack` where it was started so. */
  readonly name: string;
  /** Ends the command with this code once its output is written. */
  exit(code: ExitCode): void;
  /** Errors go to stdout as `{error}` too: the caller asked for JSON. */
  expectJson(): void;
  /** Stdout has its one JSON value: a later error goes to stderr alone. */
  hasPrintedJson(): void;
}

/** The project a command works on: its folder, its files, and how its paths are written for each reader. */
export interface OpenProject {
  /** Absolute path without symbolic links. */
  readonly root: string;
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
