import { CancelledError } from '../core/errors.js';
import { exitCodes } from './cli.js';
import type { Terminal } from './terminal/terminal.js';

/** A signal that Ctrl+C, SIGTERM or a reader that went away abort. `release` takes the handlers away again. */
export interface Interrupt {
  readonly signal: AbortSignal;
  release(): void;
}

/** The first interrupt asks the work to end in good order; the second ends the process at once. */
export function catchInterrupts(terminal: Terminal): Interrupt {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.cancelled);
    terminal.note(terminal.err.yellow('Cancelling ... (again to end at once)'));
    controller.abort(new CancelledError('The run was cancelled.'));
  };
  const onClosed = () => controller.abort(new CancelledError('The reader of the output is gone.'));
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  terminal.closed.addEventListener('abort', onClosed, { once: true });
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      terminal.closed.removeEventListener('abort', onClosed);
    },
  };
}
