import { AgentStackError, SecretMissingError } from '../errors.js';
import type { KnownSecrets, Logger, LogLevel, Secrets } from '../ports.js';
import { coverError } from './coverError.js';
import { coverAll, coverText } from './coverValue.js';

/** The same store, but each secret it returns is known from then on, and a failure of the store is reported as a missing secret. */
export function rememberSecrets(secrets: Secrets, knownSecrets: KnownSecrets): Secrets {
  return {
    async get(name) {
      let value: string | undefined;
      try {
        value = await secrets.get(name);
      } catch (error) {
        if (error instanceof AgentStackError) throw error;
        const why = error instanceof Error ? error.message : String(error);
        throw new SecretMissingError(`The secret ${JSON.stringify(name)} could not be looked up: ${why}`, { cause: error });
      }
      if (value !== undefined) knownSecrets.add(value);
      return value;
    },
  };
}

/** The same log, with secrets covered in every line. */
export function coverLog(logger: Logger, knownSecrets: KnownSecrets): Logger {
  const isWritten = (level: LogLevel) => logger.isWritten?.(level) ?? true;
  return {
    isWritten,
    log(level, message, fields) {
      if (!isWritten(level)) return;
      logger.log(level, coverText(message, knownSecrets), fields && coverFields(fields, knownSecrets));
    },
  };
}

function coverFields(fields: Readonly<Record<string, unknown>>, knownSecrets: KnownSecrets): Readonly<Record<string, unknown>> {
  const errors = Object.entries(fields).filter(([, value]) => value instanceof Error);
  const plain =
    errors.length === 0
      ? fields
      : { ...fields, ...Object.fromEntries(errors.map(([name, error]) => [name, coverError(error, knownSecrets)])) };
  return coverAll(plain, knownSecrets);
}
