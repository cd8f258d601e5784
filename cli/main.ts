import { createKnownSecrets } from '../core/secrets/knownSecrets.js';
import { learnSecrets } from '../core/secrets/learnSecrets.js';
import { type Cli, exitCodes, UsageError } from './cli.js';
import { createProgram } from './program.js';
import { reportError } from './reportError.js';
import { createTerminal, type OutputHost } from './terminal/terminal.js';

/** What the command line uses of the process it runs in. */
export interface Host extends OutputHost {
  readonly stdin: NodeJS.ReadStream;
  cwd(): string;
  exitCode?: string | number | null | undefined;
}

/**
 * Runs the command line and sets the exit code. The one place where errors are caught. The process ends by itself, not by
 * `process.exit`, so that everything written reaches its reader.
 *
 * @param args what stands after the command's name
 */
export async function main(args: readonly string[], host: Host = process): Promise<void> {
  const knownSecrets = createKnownSecrets();
  // What is typed may be quoted anywhere, in an error for example.
  learnSecrets([...args], knownSecrets);
  const terminal = createTerminal(host, args, knownSecrets);
  let json = asksForJson(args);
  const cli: Cli = {
    terminal,
    knownSecrets,
    // Node loads what it needs for streams when stdin is first used, and few verbs do.
    get stdin() {
      return host.stdin;
    },
    stdout: host.stdout,
    env: host.env,
    get cwd() {
      return workingDirectory(host);
    },
    project: undefined,
    inputHint: undefined,
    trust: { option: false },
    name: host.env.npm_command === 'exec' ? 'npx agent-stack' : 'agent-stack',
    exit: (code) => {
      host.exitCode = code;
    },
    expectJson: () => {
      json = true;
    },
    hasPrintedJson: () => {
      json = false;
    },
  };
  host.exitCode = exitCodes.ok;
  try {
    await createProgram(cli, process.env.AGENT_STACK_VERSION ?? 'unknown').parseAsync([...args], { from: 'user' });
  } catch (error) {
    host.exitCode = await reportError(error, cli, json ? 'json' : 'text');
  }
}

/** Known before the arguments are understood: a command that is wrong answers in JSON too. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  const isFormat = (each: string, index: number) => each === '--format=json' || (each === 'json' && options[index - 1] === '--format');
  return options.includes('--json') || options.some(isFormat);
}

function workingDirectory(host: Host): string {
  try {
    return host.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new UsageError('The working directory does not exist any more.');
  }
}
