import { MessageType } from 'vscode-languageserver';
import type { Logger } from '../../core/ports.js';
import { coverSecrets } from '../../core/secrets/secretPatterns.js';

export type WireLogger = Logger;

const messageTypes = { error: MessageType.Error, warn: MessageType.Warning, info: MessageType.Info, debug: MessageType.Debug } as const;

/** Longer messages are cut: one may quote a whole file. */
const maxLength = 2000;

/** Logs to the client. What looks like a secret is covered; of an error its words and its stack are told, of other values nothing. */
export function createLogger(notify: (method: string, params: unknown) => void): Logger {
  return {
    log(level, message, fields) {
      const details = Object.values(fields ?? {}).map((value) => (value instanceof Error ? wordsOf(value) : String(value)));
      const text = coverSecrets([message, ...details].join('\n')).slice(0, maxLength);
      notify('window/logMessage', { type: messageTypes[level], message: text });
    },
  };
}

function wordsOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\nbecause: ${wordsOf(error.cause)}` : '';
  return `${error.stack ?? `${error.name}: ${error.message}`}${cause}`;
}
