import type { CancellationToken } from 'vscode';

/** VS Code's cancellation as the core's. Release it when the guarded work is over; the signal is then never aborted. */
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
