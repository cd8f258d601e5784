/** Shorter lines of a secret are not secret by themselves. */
const shortestLine = 8;

/**
 * A secret in every form in which it is usually written, the longest first, since one may be part of another: unchanged, line by line, in JSON (also
 * in JSON within JSON), in JSON Pointers, in URLs and forms, in hexadecimal, in base64 and in base64url.
 */
export function writtenForms(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const texts = [secret, ...longLines(secret), inPointer(secret)];
  const forms = [...texts, ...texts.flatMap(jsonForms), ...urlForms(secret), hex, hex.toUpperCase(), ...base64Forms(bytes)];
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
}

function longLines(secret: string): readonly string[] {
  return secret.includes('\n') ? secret.split(/\r?\n/).filter((line) => line.length >= shortestLine) : [];
}

function jsonForms(secret: string): readonly string[] {
  const plain = inJson(secret);
  // Writers differ in what else they escape: Python all non-ASCII characters, Go the special characters of HTML, PHP slashes.
  const once = [plain, escapeUnits(plain, /[^\x20-\x7e]/g), escapeUnits(plain, /[<>&\u2028\u2029]/g), plain.replaceAll('/', '\\/')];
  return once.flatMap((form) => [form, inJson(form), inJson(inJson(form))]);
}

function inPointer(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeUnits(text: string, units: RegExp): string {
  return text.replace(units, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function urlForms(secret: string): readonly string[] {
  const text = secret.toWellFormed();
  const forms = [encodeURIComponent(text), encodeURI(text), new URLSearchParams({ '': text }).toString().slice(1)];
  return forms.flatMap((form) => [form, form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

/**
 * Base64 writes three bytes as four characters, so a secret inside other bytes can be written in three ways. Of each, only the characters
 * that depend only on the secret are returned: up to six bits at either end are left out.
 */
function base64Forms(secret: Uint8Array): readonly string[] {
  const binary = Array.from(secret, (byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].flatMap((before) => {
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + secret.length) * 8) / 6);
    const text = btoa('\0'.repeat(before) + binary).slice(start, end);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
