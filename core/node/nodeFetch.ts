import { setMaxListeners } from 'node:events';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import type { Fetch } from '../ports.js';
import { createHttpBody, decompressed, type HttpBody } from './httpBody.js';
import { HttpFailure, toHttpFailure } from './httpFailure.js';
import { type ProxyChoice, proxyAuthorization, TunnelAgent } from './httpProxy.js';

export interface NodeFetchOptions {
  /** Certificates in PEM form to trust in addition to the built-in ones. */
  readonly ca?: string | readonly string[];
  /** Upper limit of connections to one host at a time; further requests wait. Default: no limit. */
  readonly maxSockets?: number;
  /**
   * Most bytes of a response body, decompressed. Default 128 MiB, twice what any caller here accepts. A successful `text/event-stream` has no
   * limit.
   */
  readonly maxBodyBytes?: number;
  /** Which proxy a request goes through, e.g. `proxyFromEnvironment(...)`. Default: none. */
  readonly proxy?: ProxyChoice;
  /**
   * `own` (default): connections of this fetch. `host`: Node's default ones, which an extension host of VS Code replaces to apply its
   * proxy and certificate settings; `ca`, `maxSockets` and `proxy` have no effect then.
   */
  readonly connections?: 'own' | 'host';
}

/** `close` closes the connections that are kept open. */
export type NodeFetch = Fetch & { close(): void };

/** Idle connections are closed before most servers would close them, in ms. */
const idleTimeout = 30_000;
const maxHeaderBytes = 64 * 1024;
const redirects = new Set([301, 302, 303, 307, 308]);

interface Call {
  readonly url: URL;
  readonly method: string;
  /** By name in lower case, `host` included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  readonly keepsRedirect: boolean;
}

/**
 * A `fetch` over `node:http` and `node:https` for programs that call APIs, with features that the global one lacks: proxies, certificates,
 * the connections of VS Code, a limit on an answer's length, and failures that say what to check. Connections are kept alive, bodies
 * are read only as fast as they are consumed, gzip, deflate and br are decoded.
 *
 * Differences from the web's: bodies to send are strings or bytes; no cookies, no cache, no `data:` URLs; a redirect is an
 * error (the request carries a key that another server must not get) unless `redirect: 'manual'` is set; compression is
 * decoded but never requested. If the server closes a kept connection before a byte of the answer has arrived, the request is sent once more
 * on a new one.
 *
 * @throws HttpFailure, or the signal's reason
 */
export function createNodeFetch(options: NodeFetchOptions = {}): NodeFetch {
  const agentOptions = {
    keepAlive: true,
    // Node closes all but 256 idle ones, so a thousand runs would reconnect for each of their calls. The time limit closes them instead.
    maxFreeSockets: Number.POSITIVE_INFINITY,
    scheduling: 'lifo' as const,
    timeout: idleTimeout,
    ...(options.maxSockets !== undefined && { maxSockets: options.maxSockets }),
  };
  const tls = options.ca === undefined ? {} : { ca: [...rootCertificates, ...[options.ca].flat()] };
  const tunnels = new Map<string, TunnelAgent>();
  const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent({ ...agentOptions, ...tls }) };
  const most = options.maxBodyBytes ?? 128 * 1024 * 1024;

  const routeOf = (call: Call, fresh: boolean): RequestOptions => {
    const { url } = call;
    const path = `${url.pathname}${url.search}`;
    if (options.connections === 'host') {
      // A custom agent would count as a custom proxy, which some settings of VS Code do not override.
      return { ...addressOf(url), path, ...(fresh && { agent: false }) };
    }
    const secure = url.protocol === 'https:';
    const proxy = options.proxy?.(url);
    if (proxy !== undefined && secure) {
      const tunnel = tunnels.get(proxy.href) ?? new TunnelAgent(proxy, { ...agentOptions, ...tls });
      tunnels.set(proxy.href, tunnel);
      return { ...addressOf(url), path, agent: tunnel };
    }
    // A separate connection is not shared with the kept ones.
    const agent = fresh ? { agent: false, ...(secure && tls) } : { agent: agents[secure ? 'https:' : 'http:'] };
    if (proxy === undefined) return { ...addressOf(url), path, ...agent };
    const authorization = proxyAuthorization(proxy);
    return {
      ...addressOf(proxy),
      path: url.href,
      headers: { ...call.headers, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
      ...agent,
    };
  };

  const send = (call: Call, fresh: boolean): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { url, signal } = call;
      let body: HttpBody | undefined;
      let request: ClientRequest | undefined;
      let readBefore = 0;
      const release = () => signal?.removeEventListener('abort', abort);
      const give = (error: unknown) => {
        release();
        reject(error);
      };
      const abort = () => {
        body?.fail(signal?.reason);
        give(signal?.reason);
        request?.destroy();
      };
      const answered = (message: IncomingMessage) => {
        const { statusCode: status = 0, statusMessage: statusText = '' } = message;
        const headers = toWebHeaders(message.rawHeaders);
        const location = headers.get('location');
        if (location !== null && redirects.has(status) && !call.keepsRedirect) throw redirectRefused(url, status, location);
        const isEventStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
        body = createHttpBody(decompressed(message, headers.get('content-encoding')), {
          // Only a successful stream may continue without a limit: an error response may claim to be an event stream too.
          most: isEventStream && status < 300 ? Number.POSITIVE_INFINITY : most,
          tooLarge: () => tooLarge(url, most),
          toFailure: (error) => toHttpFailure(error, url.origin),
          settled: release,
        });
        const isBodiless = call.method === 'HEAD' || status === 204 || status === 304;
        const response = new Response(isBodiless ? null : (body.stream as globalThis.ReadableStream), { status, statusText, headers });
        resolve(Object.defineProperty(response, 'url', { value: url.href }));
      };

      const settings = { method: call.method, headers: call.headers, maxHeaderSize: maxHeaderBytes, ...routeOf(call, fresh) };
      request = settings.protocol === 'https:' ? httpsRequest(settings) : httpRequest(settings);
      if (signal !== undefined) {
        // One signal may stop a thousand calls at a time; each removes its listener when it ends.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', abort, { once: true });
      }
      request.on('socket', (socket) => {
        readBefore = socket.bytesRead;
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        body?.fail(toHttpFailure(error, url.origin));
        if (body !== undefined || signal?.aborted) return;
        const isCut = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        const isStale = isCut && !fresh && request?.reusedSocket === true && request.socket?.bytesRead === readBefore;
        release();
        if (isStale) send(call, true).then(resolve, reject);
        else reject(toHttpFailure(error, url.origin));
      });
      request.on('response', (message) => {
        try {
          answered(message);
        } catch (error) {
          give(error);
          message.destroy();
        }
      });
      request.end(call.body);
    });

  const nodeFetch = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const call = toCall(input, init);
    call.signal?.throwIfAborted();
    return await send(call, false);
  };
  const close = () => {
    agents['http:'].destroy();
    agents['https:'].destroy();
    for (const tunnel of tunnels.values()) tunnel.destroy();
    tunnels.clear();
  };
  return Object.assign(nodeFetch as Fetch, { close });
}

function toCall(input: unknown, init: RequestInit): Call {
  const url = new URL(String(input));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`Only http and https addresses can be requested, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`The address of ${url.host} holds a user name or password. Send credentials in a header.`);
  }
  const { body = undefined } = init;
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('A body to send must be a string or a Uint8Array.');
  }
  const method = (init.method ?? 'GET').toUpperCase();
  const headers: Record<string, string> = { accept: '*/*', ...toTable(init.headers), host: url.host };
  delete headers['content-length'];
  if (body != null) headers['content-length'] = String(Buffer.byteLength(body));
  else if (method !== 'GET' && method !== 'HEAD') headers['content-length'] = '0';
  return { url, method, headers, body: body ?? undefined, signal: init.signal ?? undefined, keepsRedirect: init.redirect === 'manual' };
}

/** @throws TypeError that does not quote a header: it may be a key */
function toTable(headers: RequestInit['headers']): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    throw new TypeError('A header to send holds a character that no header may have.');
  }
}

function toWebHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] as string, raw[at + 1] as string);
  return headers;
}

function addressOf(url: URL): RequestOptions {
  return { protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port };
}

function tooLarge(url: URL, most: number): HttpFailure {
  return new HttpFailure(`The answer of ${url.origin} is larger than ${most} bytes.`, 'ERR_BODY_TOO_LARGE');
}

function redirectRefused(url: URL, status: number, location: string): HttpFailure {
  const target = URL.canParse(location, url.href) ? new URL(location, url).origin : 'somewhere else';
  return new HttpFailure(
    `${url.origin} answered with a redirect (${status}) to ${target}, which is not followed because the request carries a key. Configure the final address.`,
    'ERR_REDIRECT_REFUSED',
  );
}
