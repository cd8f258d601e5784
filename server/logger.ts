import type { RemoteConsole } from 'vscode-languageserver';
import type { Logger } from '../core/ports.js';
import { coverSecrets } from '../core/secrets/secretPatterns.js';

/** Longer messages are cut: one may quote a whole file. */
const maxLength = 2000;

/** Logs to the client. Anything that looks like a secret is hidden. For an error, the message and the stack are logged. */
export function createLogger(console: RemoteConsole): Logger {
  return {
    log(level, message, fields) {
      const details = Object.values(fields ?? {}).map((value) => (value instanceof Error ? wordsOf(value) : String(value)));
      console[level](coverSecrets([message, ...details].join('\n')).slice(0, maxLength));
    },
  };
}

function wordsOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\nbecause: ${wordsOf(error.cause)}` : '';
  return `${error.stack ?? `${error.name}: ${error.message}`}${cause}`;
}
