import { isObject, type Json, type JsonObject } from '../json.js';
import type { KnownSecrets } from '../ports.js';
import { cover, coverField, coverSecrets, isSecretName, looksLikeSecret, mayHoldSecret } from './secretPatterns.js';

/**
 * JSON with every secret in its texts and names covered by as many `*`: text shaped like a secret, whole values whose key says they are secret, and
 * known secrets. The value itself if there is none.
 */
export function coverValue<Value extends Json>(value: Value, key?: string, secrets?: KnownSecrets): Value {
  return coverAll(value, secrets, key);
}

/** The same for any value made of plain objects, lists and texts, such as an event or a result. */
export function coverAll<Value>(value: Value, secrets?: KnownSecrets, key?: string): Value {
  // Most hold none, and checking is several times faster than rebuilding. The shape stays the same, which the compiler cannot infer.
  return holdsSecret(value, key, secrets) ? (covered(value as Json, key, secrets) as Value) : value;
}

/** JSON text, covered as its value would be; the text itself if there is nothing to cover. */
export function coverJson(text: string, secrets?: KnownSecrets): string {
  if (!mayHoldSecret(text) && !secrets?.mayBeIn(text)) return text;
  const value = JSON.parse(text) as Json;
  const own = coverAll(value, secrets);
  return own === value ? text : JSON.stringify(own);
}

/** A text, covered like a value without a key. */
export function coverText(text: string, secrets?: KnownSecrets): string {
  return coverMembers(coverSecrets(secrets?.cover(text) ?? text));
}

/** The key of a string value in JSON text: `"access_token": "`, also as escaped in JSON within JSON. */
export const memberStart = /(?<=")([\w-]{1,64})(\\*"\s{0,8}:\s{0,8}\\*")/;
const member = new RegExp(`${memberStart.source}([A-Za-z0-9_\\-+/=.~]{20,256})(?![A-Za-z0-9_\\-+/=.~])`, 'g');

/** Tools and models also send JSON as text, and its keys are as telling there. */
function coverMembers(text: string): string {
  if (!hasSecretMember(text)) return text;
  return text.replace(member, (whole, name: string, between: string, value: string) =>
    isSecretName(name) && looksLikeSecret(value, name) ? name + between + cover(value) : whole,
  );
}

/** Whether the name of any member says that its value is a secret; this rules out most texts quickly. */
function hasSecretMember(text: string): boolean {
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let end = colon;
    while (end > 0 && betweenNameAndColon.has(text[end - 1] ?? '')) end -= 1;
    if (end === colon) continue;
    const before = text.slice(Math.max(0, end - longestName - 1), end);
    const quote = before.lastIndexOf('"');
    if (quote !== -1 && isSecretName(before.slice(quote + 1))) return true;
  }
  return false;
}

const longestName = 64;
const betweenNameAndColon: ReadonlySet<string> = new Set('"\\ \n\r\t');

function holdsSecret(value: unknown, key: string | undefined, secrets: KnownSecrets | undefined): boolean {
  if (typeof value === 'string')
    return looksLikeSecret(value, key) !== undefined || secrets?.mayBeIn(value) === true || coverMembers(value) !== value;
  if (typeof value !== 'object' || value === null || secrets?.isClean(value)) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (holdsSecret(item, key, secrets)) return true;
    return false;
  }
  for (const name of Object.keys(value)) {
    if (coverName(name, secrets) !== name || holdsSecret((value as JsonObject)[name], name, secrets)) return true;
  }
  return false;
}

/** Models and tools may use a secret as the name of a value. Plain words are kept, since field names are plain words, and a key may be one. */
function coverName(name: string, secrets: KnownSecrets | undefined): string {
  const isWord = name.length <= longestWord || !secrets?.mayBeIn(name);
  return isWord && plainName.test(name) ? name : coverText(name, secrets);
}

const plainName = /^[A-Za-z_]{0,64}$/;
const longestWord = 15;

function covered(value: Json, key: string | undefined, secrets: KnownSecrets | undefined): Json {
  if (typeof value === 'string') return coverMembers(coverField(secrets?.cover(value) ?? value, key));
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => covered(item, key, secrets));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  let isSame = true;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    const own = covered(member, name, secrets);
    const ownName = coverName(name, secrets);
    isSame &&= own === member && ownName === name;
    return [ownName, own];
  });
  // `fromEntries` defines its members, so that `__proto__` is a key like any other.
  return isSame ? value : (Object.fromEntries(members) as JsonObject);
}
