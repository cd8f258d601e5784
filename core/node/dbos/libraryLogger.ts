import type { Logger } from '../../ports.js';
import type { DLogger } from './dbosSdk.js';

/** The library tells much; what matters to whoever runs a worker are its warnings. */
export function libraryLogger(logger: Logger): DLogger {
  const tell =
    (level: 'debug' | 'warn' | 'error'): DLogger['error'] =>
    (entry, metadata) =>
      logger.log(level, String(entry), { from: 'dbos', ...(metadata?.stack !== undefined && { stack: metadata.stack }) });
  return { debug: () => undefined, info: tell('debug'), warn: tell('warn'), error: tell('error') };
}
