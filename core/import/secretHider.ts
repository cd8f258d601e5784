import { isObject, type Json, type JsonObject } from '../json.js';
import { cleanName } from '../otherTools/values.js';
import { coverText } from '../secrets/coverValue.js';
import { createKnownSecrets } from '../secrets/knownSecrets.js';
import { type NamedSecret, namedSecrets } from '../secrets/namedSecrets.js';
import { looksLikeSecret } from '../secrets/secretPatterns.js';
import { secretVariable } from '../secrets/secretVariable.js';

type Note = (message: string, field: readonly string[]) => void;

/** Puts references in the place of secrets, and knows them from then on, so that no message quotes one. */
export class SecretHider {
  readonly #known = createKnownSecrets();
  readonly #names = new Map<string, string>();

  cover(message: string): string {
    return coverText(message, this.#known);
  }

  /** What another tool calls something, without secrets: a name is no place for a reference. */
  inName(text: string): string {
    let [before, rest] = ['', text];
    for (let match = looksLikeSecret(rest); match !== undefined; match = looksLikeSecret(rest)) {
      this.#known.add(rest.slice(match.start, match.end));
      before += `${rest.slice(0, match.start)}secret`;
      rest = rest.slice(match.end);
    }
    return before + rest;
  }

  /** The value of a file with `secret://name` for each secret. */
  inFile(value: JsonObject, owner: string, note: Note): JsonObject {
    return this.#inObject(value, owner, [], (field, name) => {
      const where = `Store the key as ${name} (in the editor "Set API Key", on the command line the variable ${secretVariable(name)}).`;
      const isKey = field[0] === 'api_key';
      note(
        isKey
          ? `This key is in plain text; api_key refers to secret://${name}. ${where}`
          : `This secret is in plain text; secret://${name} is in its place, and no model or tool gets its value from there.`,
        field,
      );
    });
  }

  /** The same for an MCP server, where references are filled in. A value whose name says that it is a secret counts as one. */
  inServer(value: JsonObject, id: string, note: Note): JsonObject {
    const noteHidden = (field: readonly string[], name: string) =>
      note(
        `This secret is in plain text; secret://${name} is in its place. Store it under that name (in the editor when it is asked for, on the command line as the variable ${secretVariable(name)}).`,
        field,
      );
    let server = this.#inObject(value, id, [], noteHidden);
    for (const { path, name, secret, start } of namedSecrets(server)) {
      this.#known.add(secret);
      const stored = this.#nameFor(secret, name, id);
      noteHidden(path, stored);
      server = replaceText(server, path, (text) => `${text.slice(0, start)}secret://${stored}`);
    }
    return server;
  }

  #inObject(value: JsonObject, owner: string, path: readonly string[], tell: (field: readonly string[], name: string) => void): JsonObject {
    const hide = (part: Json, key: string | undefined, at: readonly string[]): Json => {
      if (typeof part === 'string') return this.#inText(part, key, owner, (name) => tell(at, name));
      if (Array.isArray(part)) return part.map((item: Json, index) => hide(item, key, [...at, String(index)]));
      if (!isObject(part)) return part;
      return Object.fromEntries(
        Object.entries(part).map(([inner, item]) => [
          this.#inText(inner, undefined, owner, (name) => tell(at, name)),
          hide(item, inner, [...at, inner]),
        ]),
      );
    };
    return hide(value, undefined, path) as JsonObject;
  }

  #inText(text: string, key: string | undefined, owner: string, note: (name: string) => void): string {
    // A value of api_key that is not a reference is the key itself, even if it has no known shape.
    const isKey = key === 'api_key' && !text.startsWith('secret://');
    let [before, rest] = ['', text];
    // The whole of a key may be a secret only because of what it is called.
    const whole = isKey ? { start: 0, end: text.length } : looksLikeSecret(text, key);
    for (let match = whole; match !== undefined; match = looksLikeSecret(rest)) {
      const secret = rest.slice(match.start, match.end);
      this.#known.add(secret);
      const name = this.#nameFor(secret, key, owner);
      note(name);
      before += `${rest.slice(0, match.start)}secret://${name}`;
      rest = rest.slice(match.end);
    }
    return before + rest;
  }

  #nameFor(secret: string, key: string | undefined, owner: string): string {
    const earlier = this.#names.get(secret);
    if (earlier !== undefined) return earlier;
    // A header called Authorization says nothing of whose it is.
    const own = key === undefined ? `${owner}_secret` : /^[A-Z][A-Z0-9_]*$/.test(key) ? key.toLowerCase() : `${owner}_${key}`;
    const clean = cleanName(own.toLowerCase().replace(/[^a-z0-9]+/g, '_'), 'secret');
    const taken = new Set(this.#names.values());
    let name = clean;
    for (let number = 2; taken.has(name); number++) name = `${clean.slice(0, 60)}_${number}`;
    this.#names.set(secret, name);
    return name;
  }
}

/** A server with another text in one of its members. */
function replaceText(server: JsonObject, [part, key]: NamedSecret['path'], replace: (text: string) => string): JsonObject {
  const member = server[part];
  const replaced = Array.isArray(member)
    ? member.map((item: Json, index) => (String(index) === key ? replace(String(item)) : item))
    : { ...(isObject(member) ? member : {}), [key]: replace(String(isObject(member) ? member[key] : '')) };
  return { ...server, [part]: replaced };
}
