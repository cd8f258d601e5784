import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { shorten } from '../../../words.js';

/** Why a request is refused, and how to fix it. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

export interface CallerPolicy {
  readonly token: string;
  /** Host names besides `localhost`, in lower case, under which the server may be reached. Addresses are always allowed. */
  readonly hosts: ReadonlySet<string>;
}

/**
 * Refuses what a web page may send behind the back of its reader, and callers without the token. A page that points its own name to this machine
 * (DNS rebinding)
 * is recognized by that name in `Host`, and any page by its `Origin`.
 */
export function checkCaller({ host, origin, authorization }: IncomingHttpHeaders, { token, hosts }: CallerPolicy): Refusal | undefined {
  const name = hostName(host ?? '');
  if (!isAllowed(name, hosts))
    return {
      status: 403,
      message: `The host name ${JSON.stringify(shorten(name, 100, '...'))} is not one of this server, which protects it from web pages. Use its address, or start it with --allow-host ${shorten(name, 100, '...') || 'NAME'}.`,
    };
  if (origin !== undefined && !isLocal(originName(origin), hosts))
    return {
      status: 403,
      message: `Requests of web pages (Origin: ${shorten(origin, 100, '...')}) are refused. Call the server from a program, without Origin, or start it with --allow-host ${shorten(originName(origin), 100, '...') || 'NAME'}.`,
    };
  if (bringsToken(authorization, token)) return undefined;
  const what = authorization === undefined ? 'The access token is missing.' : 'The access token is wrong.';
  return {
    status: 401,
    message: `${what} Send the header "Authorization: Bearer TOKEN" with the token that the server printed when it started, or that AGENTSTACK_TOKEN had then.`,
  };
}

function isAllowed(name: string, hosts: ReadonlySet<string>): boolean {
  return name === 'localhost' || isIP(name) !== 0 || hosts.has(name);
}

/** Of a page: its address proves nothing about who wrote it, unless that of this machine. */
function isLocal(name: string, hosts: ReadonlySet<string>): boolean {
  return name === 'localhost' || hosts.has(name) || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** Without the port; an IPv6 address without its brackets. */
function hostName(host: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host.trim()) ?? [];
  return (bracketed ?? plain ?? '').toLowerCase();
}

function originName(origin: string): string {
  try {
    return hostName(new URL(origin).host);
  } catch {
    // `null`, of a sandboxed page.
    return '';
  }
}

/** Shorter tokens can be guessed. */
export const shortestToken = 16;

/** 256 random bits, in characters that need no quoting anywhere. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether an `Authorization` header has the token. The time it takes reveals nothing about the token, not even its length. */
function bringsToken(header: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +([^\s]+) *$/i.exec(header ?? '') ?? [];
  return timingSafeEqual(digest(given ?? ''), digest(token)) && given !== undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
