import { request as httpRequest } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import type { Environment } from '../ports.js';
import { HttpFailure } from './httpFailure.js';

/** The proxy a request goes through, or undefined for a direct one. */
export type ProxyChoice = (url: URL) => URL | undefined;

/** How long a proxy may take to open a tunnel, in ms. */
const tunnelTimeout = 30_000;

/**
 * The usual variables, upper or lower case: `HTTPS_PROXY` for https, `HTTP_PROXY` for http, `ALL_PROXY` for both, and
 * `NO_PROXY`, a list of host names (their subdomains included), addresses, `host:port` or `*`. The local machine is never
 * reached through a proxy, so a local model server needs no exception.
 *
 * @throws HttpFailure for a proxy address that is not an http or https URL
 */
export function proxyFromEnvironment(environment: Environment): ProxyChoice {
  const read = (name: string) => environment.get(name) || environment.get(name.toLowerCase()) || undefined;
  const all = read('ALL_PROXY');
  const proxies = { 'http:': read('HTTP_PROXY') ?? all, 'https:': read('HTTPS_PROXY') ?? all };
  const exceptions = (read('NO_PROXY') ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return (url) => {
    const proxy = url.protocol === 'https:' ? proxies['https:'] : proxies['http:'];
    if (proxy === undefined || isOwnMachine(url.hostname) || exceptions.some((entry) => covers(entry, url))) return undefined;
    const address = proxy.includes('://') ? proxy : `http://${proxy}`;
    const parsed = URL.canParse(address) ? new URL(address) : undefined;
    if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed;
    throw new HttpFailure(
      'The proxy in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY is not an http or https address; no other kind is supported.',
      'ERR_PROXY',
    );
  };
}

/** `Basic ...` for a proxy whose address holds a user name, else undefined. */
export function proxyAuthorization(proxy: URL): string | undefined {
  if (proxy.username === '' && proxy.password === '') return undefined;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
}

/** An agent whose TLS connections run through a tunnel (`CONNECT`) that the proxy opens. */
export class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: AgentOptions & { servername?: string },
    callback: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const proxy = this.#proxy;
    const target = `${options.host?.includes(':') ? `[${options.host}]` : options.host}:${options.port ?? 443}`;
    const authorization = proxyAuthorization(proxy);
    // On failure the caller gets only an error; Node's types require a socket too.
    const fail = (error: Error) => callback(error, undefined as unknown as Duplex);
    const refused = (why: string) => new HttpFailure(`The proxy ${proxy.host} opened no connection to ${target}: ${why}.`, 'ERR_PROXY');
    const open = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
      agent: false,
      timeout: tunnelTimeout,
    });
    open.once('connect', (response, socket) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        fail(refused(`it answered ${response.statusCode} ${response.statusMessage ?? ''}`.trim()));
        return;
      }
      socket.setTimeout(0);
      const servername = options.servername ?? (isIP(options.host ?? '') === 0 ? options.host : undefined);
      callback(null, tlsConnect({ ...options, socket, ...(servername !== undefined && { servername }) }));
    });
    open.once('response', (response) => {
      open.destroy();
      fail(refused(`it answered ${response.statusCode}`));
    });
    open.once('timeout', () => open.destroy(refused(`no answer within ${tunnelTimeout / 1000} s`)));
    open.once('error', (error) => fail(error instanceof HttpFailure ? error : refused(error.message)));
    open.end();
    return undefined;
  }
}

function isOwnMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function covers(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  const domain = name.replace(/^\*?\./, '');
  return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
}
