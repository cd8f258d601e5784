import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { cleanName } from '../otherTools/values.js';
import { coverText } from '../secrets/coverValue.js';
import { createKnownSecrets } from '../secrets/knownSecrets.js';
import { inAddress, isWritten, namedSecrets } from '../secrets/namedSecrets.js';
import { looksLikeSecret } from '../secrets/secretPatterns.js';
import { secretVariable } from '../secrets/secretVariable.js';

type Note = (message: string, field: readonly string[]) => void;

/** Replaces secrets by references and remembers them, so that no message quotes one. */
export class SecretHider {
  readonly #known = createKnownSecrets();
  /** Those that the sources show by what they are called there, with that name. */
  readonly #learned = new Map<string, string>();
  readonly #names = new Map<string, string>();

  cover(message: string): string {
    return coverText(message, this.#known);
  }

  /**
   * Learns the secrets of a source before any of it is imported, so that one which only its place shows (`api_key`, a header) is hidden in every
   * other
   * place too. Only of a certain length and with a digit: a password that is a word would take that word from every text.
   */
  learn(value: Json): void {
    const remember = (secret: string, name: string) => {
      // A header has several cookies, and each is one.
      for (const part of /cookie$/i.test(name) ? secret.split(/;\s*/).map((each) => each.replace(/^[^=]*=/, '')) : [secret]) {
        if (!/^(?=.*\d)\S{8,}$/.test(part) || this.#learned.has(part)) continue;
        this.#learned.set(part, name);
        this.#known.add(part);
      }
    };
    const walk = (part: Json, key: string | undefined): void => {
      if (typeof part === 'string') {
        if (key !== undefined && /^api_?key$/i.test(key) && isWritten(part)) remember(part, 'api_key');
        for (const { secret, name } of inAddress(part)) remember(secret, name);
      } else if (Array.isArray(part)) for (const item of part as readonly Json[]) walk(item, key);
      else if (isObject(part)) {
        for (const { secret, name } of namedSecrets(part)) remember(secret, name);
        for (const [name, item] of Object.entries(part)) walk(item, name);
      }
    };
    walk(value, undefined);
  }

  /** What another tool calls something, without secrets: a name is no place for a reference. */
  inName(text: string): string {
    let [before, rest] = ['', text];
    for (let match = looksLikeSecret(rest); match !== undefined; match = looksLikeSecret(rest)) {
      this.#known.add(rest.slice(match.start, match.end));
      before += `${rest.slice(0, match.start)}secret`;
      rest = rest.slice(match.end);
    }
    return this.#learnedSecrets().reduce((left, [secret]) => left.replaceAll(secret, 'secret'), before + rest);
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
    // Of several in one text the last first, so that the places of the others stay.
    for (const { path, name, text, secret, start } of [...namedSecrets(server)].reverse()) {
      this.#known.add(secret);
      const stored = this.#nameFor(secret, name, id);
      noteHidden(path, stored);
      const now = textAt(server, path) ?? text;
      server = withText(server, path, `${now.slice(0, start)}secret://${stored}${now.slice(start + secret.length)}`);
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
    let hidden = before + rest;
    for (const [secret, called] of this.#learnedSecrets()) {
      if (!hidden.includes(secret)) continue;
      const name = this.#nameFor(secret, called, owner);
      note(name);
      hidden = hidden.replaceAll(secret, `secret://${name}`);
    }
    return hidden;
  }

  /** The longest first, since one may be a part of another. */
  #learnedSecrets(): readonly (readonly [secret: string, name: string])[] {
    return [...this.#learned].sort(([left], [right]) => right.length - left.length);
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

function textAt(server: JsonObject, path: readonly string[]): string | undefined {
  const value = valueAt(server, pointerOf(...path));
  return typeof value === 'string' ? value : undefined;
}

/** A server with another text at one of its places. */
function withText(value: JsonObject, [key = '', ...below]: readonly string[], text: string): JsonObject {
  const member = value[key];
  if (below.length === 0) return { ...value, [key]: text };
  if (Array.isArray(member)) return { ...value, [key]: member.map((item: Json, index) => (String(index) === below[0] ? text : item)) };
  return { ...value, [key]: withText(isObject(member) ? member : {}, below, text) };
}
