import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { isSecretName } from './secretPatterns.js';
import { isPlaceholder } from './secretShapes.js';

/** A value of an MCP server, or the end of one, whose name says that it is a secret. */
export interface NamedSecret {
  /** From the server: `env`, `DB_PASSWORD`. */
  readonly path: readonly [string, string];
  readonly name: string;
  readonly secret: string;
  /** Where it begins in the text. */
  readonly start: number;
}

/** The values of a server whose names say that they are secrets: in `env` and `headers`, after `--token` and in `--token=`. */
export function* namedSecrets(server: JsonObject): Generator<NamedSecret> {
  for (const part of ['env', 'headers']) {
    const values = isObject(server[part]) ? server[part] : {};
    for (const [name, text] of Object.entries(values)) if (isNamed(name, text)) yield { path: [part, name], name, secret: text, start: 0 };
  }
  const args = listOf(server.args);
  for (const [index, argument] of args.entries()) {
    const path = ['args', String(index)] as const;
    const [, name, text] = /^--?([\w-]+)=(.*)$/s.exec(String(argument)) ?? [];
    if (isNamed(name, text)) yield { path, name: name ?? '', secret: text, start: String(argument).length - text.length };
    const before = /^--?([\w-]+)$/.exec(String(args[index - 1]))?.[1];
    if (isNamed(before, argument)) yield { path, name: before ?? '', secret: argument, start: 0 };
  }
}

function isNamed(name: string | undefined, text: Json | undefined): text is string {
  return name !== undefined && typeof text === 'string' && isSecretName(name) && isWritten(text);
}

/** Whether a text is the secret itself, rather than a reference, a placeholder, a setting or the next argument. */
export function isWritten(text: string): boolean {
  if (text.length < 4 || isPlaceholder(text) || /^-|\$\{|\{\{|secret:\/\/|^(?:<.*>|\*+|\d+)$/.test(text)) return false;
  return !/^(?:true|false|none|null|auto|default|optional|required|enabled|disabled|basic|bearer|pass(?:word|wd)?|secret|token)$/i.test(
    text,
  );
}
