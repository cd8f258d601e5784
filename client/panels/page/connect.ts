import { dispatch, type Handlers, isMessage, isString, type Message } from '../messages.js';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The panel, from its page's side. May be connected to once. */
export interface Host<Sent extends Message, Received extends Message, State> {
  /** `ready` asks for everything. */
  post(message: Sent | { readonly type: 'ready' }): void;
  /** What VS Code keeps while the page is hidden, and to bring the panel back after a restart. */
  state(): Partial<State>;
  keep(change: Partial<State>): void;
  /** Asks for everything, and hands each message that comes to its function. */
  listen(handlers: Handlers<Received>): void;
}

export function connect<Sent extends Message, Received extends Message, State extends object>(): Host<Sent, Received, State> {
  const api = acquireVsCodeApi();
  // Only this page has written it.
  const state = () => (api.getState() ?? {}) as Partial<State>;
  return {
    post: (message) => api.postMessage(message),
    state,
    keep: (change) => api.setState({ ...state(), ...change }),
    listen(handlers) {
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (isMessage({ title: { title: isString } }, data)) document.title = data.title;
        else dispatch(handlers, data);
      });
      api.postMessage({ type: 'ready' });
    },
  };
}

/** Collects what comes within a frame, and hands it over before the frame is painted. */
export function byFrame<Value>(take: (values: readonly Value[]) => void): (value: Value) => void {
  let waiting: Value[] = [];
  return (value) => {
    if (waiting.length === 0)
      requestAnimationFrame(() => {
        const values = waiting;
        waiting = [];
        take(values);
      });
    waiting.push(value);
  };
}
