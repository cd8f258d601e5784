import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<AbortSignal>();

/** The signal of the HTTP request that is being handled: it aborts when its connection closes before the answer. Undefined over stdio. */
export function requestSignal(): AbortSignal | undefined {
  return storage.getStore();
}

/** Handles a request with its signal. The SDK passes none to handlers, since a client of its own could take up a stream that broke off; ours keep no streams. */
export function withRequestSignal<Value>(signal: AbortSignal, handle: () => Value): Value {
  return storage.run(signal, handle);
}
