import { ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { isObject } from '../../core/json.js';
import { Cancellation } from '../cancellation.js';
import type { Transport } from './transport.js';

export interface ConnectionHandlers {
  /**
   * Returns or throws the answer, or promises it.
   *
   * @param cancellation aborted when the client cancels; whoever answers may abort it too. A `ResponseError` is answered as it is; there should be no other.
   */
  request(method: string, params: unknown, cancellation: Cancellation): unknown;
  notification(method: string, params: unknown): void;
  /** What the client sent is no message. */
  fault(error: unknown): void;
  closed(): void;
}

/** The client's identifier of a request, to be given back as it came. */
type Id = string | number;

interface Incoming {
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: unknown;
}

interface Asked {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * JSON-RPC 2.0 as LSP uses it. Messages are taken in as soon as they are there and in order, but after each request the event loop goes round
 * once: a cancellation that has arrived meanwhile must find the requests after it not yet begun. Cancellations themselves do not queue.
 */
export class Connection {
  private readonly transport: Transport;
  private readonly queue: Incoming[] = [];
  private isWaiting = false;
  /** Requests of the client that are not answered yet. */
  private readonly unanswered = new Map<Id, Cancellation>();
  /** Requests to the client. */
  private readonly asked = new Map<Id, Asked>();
  private requests = 0;
  /** Messages of the client so far. */
  heard = 0;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  listen(handlers: ConnectionHandlers): void {
    this.transport.listen({
      message: (message) => this.take(message, handlers),
      fault: (error) => {
        this.transport.send({ jsonrpc: '2.0', id: null, error: { code: ErrorCodes.ParseError, message: 'This is no JSON-RPC message.' } });
        handlers.fault(error);
      },
      closed: () => handlers.closed(),
    });
  }

  /** Resolves when the notification is on its way. */
  notify(method: string, params: unknown): Promise<void> {
    return new Promise((resolve) => this.transport.send({ jsonrpc: '2.0', method, params }, resolve));
  }

  /** @throws Error with the client's words when it refuses */
  request(method: string, params?: unknown): Promise<unknown> {
    this.requests += 1;
    const id = this.requests;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.transport.send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
    });
  }

  private take(message: unknown, handlers: ConnectionHandlers): void {
    this.heard += 1;
    const { id, method, params } = isObject(message) ? message : {};
    if (typeof method === 'string') {
      if (method === '$/cancelRequest') this.cancel(params);
      else this.enqueue({ id: isId(id) ? id : undefined, method, params }, handlers);
    } else if (isObject(message)) this.takeAnswer(message);
    else handlers.fault(new Error('A message must be an object.'));
  }

  private cancel(params: unknown): void {
    const id = isObject(params) ? params.id : undefined;
    if (isId(id)) this.unanswered.get(id)?.abort(new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.'));
  }

  private enqueue(message: Incoming, handlers: ConnectionHandlers): void {
    if (message.id !== undefined) this.unanswered.set(message.id, new Cancellation());
    this.queue.push(message);
    this.work(handlers);
  }

  private takeAnswer({ id, result, error }: Readonly<Record<string, unknown>>): void {
    const asked = isId(id) ? this.asked.get(id) : undefined;
    if (asked === undefined || !isId(id)) return;
    this.asked.delete(id);
    if (isObject(error)) asked.reject(new Error(typeof error.message === 'string' ? error.message : 'The client gave no reason.'));
    else asked.resolve(result);
  }

  private work(handlers: ConnectionHandlers): void {
    while (!this.isWaiting) {
      const next = this.queue.shift();
      if (next === undefined) return;
      const { id, method, params } = next;
      if (id === undefined) {
        handlers.notification(method, params);
        continue;
      }
      this.isWaiting = true;
      this.answer(id, method, params, handlers);
      setImmediate(() => {
        this.isWaiting = false;
        this.work(handlers);
      });
    }
  }

  private answer(id: Id, method: string, params: unknown, handlers: ConnectionHandlers): void {
    const cancellation = this.unanswered.get(id) ?? new Cancellation();
    const end = () => {
      if (this.unanswered.get(id) === cancellation) this.unanswered.delete(id);
    };
    const refuse = (error: unknown) => {
      end();
      this.transport.send({ jsonrpc: '2.0', id, error: refusalOf(error) });
    };
    const reply = (result: unknown) => {
      this.transport.send({ jsonrpc: '2.0', id, result: result ?? null });
      end();
    };
    try {
      const result = handlers.request(method, params, cancellation);
      if (result instanceof Promise) result.then(reply).catch(refuse);
      else reply(result);
    } catch (error) {
      refuse(error);
    }
  }
}

function refusalOf(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof ResponseError) return { code: error.code, message: error.message };
  return { code: ErrorCodes.InternalError, message: 'The server failed.' };
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}
