import type { Transport, TransportListener } from './transport.js';

/** Messages over the channel that Node has to a child process. */
export class IpcTransport implements Transport {
  listen(listener: TransportListener): void {
    process.on('message', (message) => listener.message(message));
    process.on('disconnect', () => listener.closed());
  }

  send(message: object, onSent?: () => void): void {
    if (process.connected) process.send?.(message, () => onSent?.());
    else onSent?.();
  }
}
