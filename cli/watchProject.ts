import type { Cli } from './cli.js';
import { catchInterrupts } from './interrupt.js';
import { reportError } from './reportError.js';
import { watchFolders } from './watchFolders.js';

/** Several files change together; this long nothing may change before the next round, in ms. */
const quiet = 100;

/** What may be a config file of ours or of another tool, or a folder of them. */
const configFile = /\.(?:jsonc?|md|toml|ya?ml)$|(?:^|\/)[^./]+$/;

/**
 * Does a round of work at once and after each change of a config file of the project, one round after the other, until it is interrupted. A round that
 * fails is reported, and the next change begins another.
 */
export async function watchProject(cli: Cli, root: string, round: () => Promise<unknown>): Promise<void> {
  const { signal, release } = catchInterrupts(cli.terminal);
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const begin = () => {
    last = last.then(async () => {
      try {
        if (!signal.aborted) await round();
      } catch (error) {
        await reportError(error, cli, 'text');
      }
    });
    return last;
  };
  // Before the files are first read, so that no change is missed.
  const stop = watchFolders(root, (path) => {
    if (!configFile.test(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void begin(), quiet);
  });
  try {
    await begin();
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await last;
  } finally {
    clearTimeout(timer);
    stop();
    release();
  }
}
