import type { KnownSecrets } from '../../core/ports.js';
import { colourOf, createStyles, type Styles, visibleOutput } from './styles.js';

/**
 * The two streams of a command. stdout carries the answer and, in machine formats, nothing else; stderr everything that is
 * said about it. Neither shows a secret, nor a control or invisible character of a file or an answer. When the reader of stdout goes away (`|
 * head`), later output is dropped and `closed` is aborted.
 */
export interface Terminal {
  /** A text and a line break on stdout. */
  print(text: string): void;
  /** Unchanged text on stdout. */
  write(text: string): void;
  /** A text and a line break on stderr, on a new line. */
  note(text: string): void;
  /** Unchanged text on stderr. */
  writeNote(text: string): void;
  /** Ends the line on stderr that `writeNote` left open. */
  endLine(): void;
  /** A line on stderr that the next output replaces; nothing where stderr is not a terminal. */
  progress(text: string): void;
  /** Styles of stdout and of stderr: one may be a terminal and the other a file. */
  readonly out: Styles;
  readonly err: Styles;
  /** Columns of stdout; 100 where it is not a terminal. */
  readonly columns: number;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly closed: AbortSignal;
}

/** What a terminal is made of; `process` is one. */
export interface OutputHost {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

export function createTerminal(host: OutputHost, args: readonly string[], secrets: Pick<KnownSecrets, 'cover'>): Terminal {
  const { stdout, stderr, env } = host;
  const closed = new AbortController();
  let progressShown = false;
  let lineOpen = false;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (stream === stdout) closed.abort();
    });
  }
  const clearProgress = () => {
    if (!progressShown) return;
    progressShown = false;
    stderr.write('\r\u001b[K');
  };
  const write = (text: string) => {
    clearProgress();
    if (!closed.signal.aborted) stdout.write(visibleOutput(secrets.cover(text)));
  };
  const writeNote = (text: string) => {
    if (text === '') return;
    clearProgress();
    lineOpen = !text.endsWith('\n');
    stderr.write(visibleOutput(secrets.cover(text)));
  };
  const endLine = () => {
    if (lineOpen) writeNote('\n');
  };
  const stderrIsTerminal = stderr.isTTY === true && env.TERM !== 'dumb';
  return {
    write,
    writeNote,
    print: (text) => write(`${text}\n`),
    note(text) {
      endLine();
      writeNote(`${text}\n`);
    },
    endLine,
    progress(text) {
      if (!stderrIsTerminal) return;
      endLine();
      progressShown = true;
      stderr.write(`\r\u001b[K${visibleOutput(secrets.cover(text)).slice(0, Math.max(0, (stderr.columns || 80) - 1))}`);
    },
    out: createStyles(colourOf(stdout, env, args)),
    err: createStyles(colourOf(stderr, env, args)),
    columns: stdout.isTTY && stdout.columns > 0 ? stdout.columns : 100,
    stdoutIsTerminal: stdout.isTTY === true,
    stderrIsTerminal,
    closed: closed.signal,
  };
}
