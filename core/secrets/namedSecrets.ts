import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { isSecretName } from './secretPatterns.js';
import { isPlaceholder } from './secretShapes.js';

/** A value of an MCP server, or a part of one, whose name says that it is a secret. */
export interface NamedSecret {
  /** From the server: `env`, `DB_PASSWORD`. */
  readonly path: readonly string[];
  readonly name: string;
  /** The whole text. */
  readonly text: string;
  readonly secret: string;
  /** Where it begins in the text. */
  readonly start: number;
}

type NamedPart = Omit<NamedSecret, 'path' | 'text'>;

/**
 * The values of a server whose names say that they are secrets: in `env` and `headers`, after `--token` and in `--token=`, in a header that is an
 * argument (`-H "Authorization: Bearer ..."`), and in the query of an address.
 */
export function* namedSecrets(server: JsonObject): Generator<NamedSecret> {
  for (const part of ['env', 'headers']) {
    const values = isObject(server[part]) ? server[part] : {};
    for (const [name, text] of Object.entries(values)) {
      if (typeof text !== 'string') continue;
      const named = part === 'headers' ? inHeader(name, text, 0) : isNamed(name, text) ? { name, secret: text, start: 0 } : undefined;
      for (const secret of named === undefined ? inAddress(text) : [named]) yield { path: [part, name], text, ...secret };
    }
  }
  const args = listOf(server.args);
  for (const [index, text] of args.entries()) {
    if (typeof text !== 'string') continue;
    const named = inArgument(text, args[index - 1]);
    for (const secret of named === undefined ? inAddress(text) : [named]) yield { path: ['args', String(index)], text, ...secret };
  }
  for (const part of ['url', 'command']) {
    const text = server[part];
    if (typeof text === 'string') for (const secret of inAddress(text)) yield { path: [part], text, ...secret };
  }
}

/** @param before the argument before it */
function inArgument(text: string, before: Json | undefined): NamedPart | undefined {
  const [, option, value] = /^--?([\w-]+)=(.*)$/s.exec(text) ?? [];
  if (isNamed(option, value)) return { name: option ?? '', secret: value, start: text.length - value.length };
  const [, header, content] = /^(?:--?[\w-]+=)?([\w-]+):(?!\/\/)\s*(.*)$/s.exec(text) ?? [];
  const ofHeader = header === undefined || content === undefined ? undefined : inHeader(header, content, text.length - content.length);
  if (ofHeader !== undefined) return ofHeader;
  const name = /^--?([\w-]+)$/.exec(String(before))?.[1];
  return isNamed(name, text) ? { name: name ?? '', secret: text, start: 0 } : undefined;
}

/** The part after the scheme, for a header whose name says it is a secret. @param at where the content begins in its text */
function inHeader(name: string, content: string, at: number): NamedPart | undefined {
  if (!isSecretName(name) && !/^(?:set-)?cookie$/i.test(name)) return undefined;
  const scheme = /^(?:bearer|basic|token|apikey)\s+/i.exec(content)?.[0] ?? '';
  const secret = content.slice(scheme.length);
  return isWritten(secret) ? { name, secret, start: at + scheme.length } : undefined;
}

/** The values of the query of an address whose names say that they are secrets. */
export function* inAddress(text: string): Generator<NamedPart> {
  if (!text.includes('://')) return;
  for (const match of text.matchAll(/[?&]([\w.-]{1,64})=([^&#\s"'<>]*)/g)) {
    const [whole, name = '', secret = ''] = match;
    if ((isSecretName(name) || /^(?:key|sig|signature|auth)$/i.test(name)) && isWritten(secret))
      yield { name, secret, start: match.index + whole.length - secret.length };
  }
}

function isNamed(name: string | undefined, text: Json | undefined): text is string {
  return name !== undefined && typeof text === 'string' && isSecretName(name) && isWritten(text);
}

/** Whether a text is the secret itself, rather than a reference, a placeholder, a setting or the next argument. */
export function isWritten(text: string): boolean {
  if (text.length < 4 || isPlaceholder(text) || /^-|^[{%$]|\$\{|\{\{|secret:\/\/|^(?:<.*>|\*+|\d+)$/.test(text)) return false;
  return !/^(?:true|false|none|null|auto|default|optional|required|enabled|disabled|basic|bearer|pass(?:word|wd)?|secret|token)$/i.test(
    text,
  );
}
