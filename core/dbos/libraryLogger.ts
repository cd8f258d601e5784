import type { Logger } from '../ports.js';
import type { DLogger } from './dbosSdk.js';

/** The library logs a lot; only its warnings matter to the operator of a worker. */
export function libraryLogger(logger: Logger): DLogger {
  const logAt =
    (level: 'debug' | 'warn' | 'error'): DLogger['error'] =>
    (entry, metadata) =>
      logger.log(level, String(entry), { from: 'dbos', ...(metadata?.stack !== undefined && { stack: metadata.stack }) });
  return { debug: () => undefined, info: logAt('debug'), warn: logAt('warn'), error: logAt('error') };
}
