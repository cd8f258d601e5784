import type { CancellationToken } from 'vscode';

/** VS Code's way to cancel as the core's. Release it when what it guards is over; the signal is then never aborted any more. */
export interface TokenSignal {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** The one place where a CancellationToken becomes an AbortSignal. */
export function toSignal(token: CancellationToken): TokenSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listener = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, release: () => listener.dispose() };
}
