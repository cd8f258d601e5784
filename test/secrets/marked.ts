import { expect } from 'vitest';

/** Without the shape of any key, and with everything that JSON and URLs write in another way. */
export const modelKey = 'odd"key\\horse/battery+staple?~&=%>>';
/** Of an MCP server, which is given it in a variable. */
export const serverToken = 'notes"pass\\phrase/with wörds';
/** Of the same server, asked for as `${input:door}`. */
export const serverInput = 'door-code <of the/cellar> ??';

export const markedSecrets = [modelKey, serverToken, serverInput];

/** One that hides as it can, one a word. */
export const toldSecrets = markedSecrets.flatMap(encodings).join(' | ');

/** A secret as tools, models and people write it. */
export function encodings(secret: string): readonly string[] {
  const at = (before: number) => Buffer.from(`${'x'.repeat(before)}${secret}${'y'.repeat(before)}`);
  return [
    secret,
    JSON.stringify(secret),
    secret.replaceAll('~', '~0').replaceAll('/', '~1'),
    encodeURIComponent(secret),
    new URLSearchParams({ key: secret }).toString(),
    ...[0, 1, 2].map((before) => at(before).toString('base64')),
    ...[0, 1, 2].map((before) => at(before).toString('base64url')),
    // As MIME breaks it into lines; the break is in the secret.
    ...[40, 47, 52].map((before) =>
      at(before)
        .toString('base64')
        .replace(/.{76}(?=.)/g, '$&\r\n'),
    ),
    at(90)
      .toString('base64')
      .replace(/.{64}(?=.)/g, '$&\n'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
  ];
}

/** Nothing that was written holds a marked secret, in whatever encoding: what may be one is decoded and looked at. */
export function expectNoSecret(written: string, secrets: readonly string[] = markedSecrets): void {
  const views = [...decoded(written, Math.min(...secrets.map((secret) => Buffer.byteLength(secret))))];
  for (const secret of secrets) {
    for (const { how, text } of views) {
      const at = text.indexOf(secret);
      expect(at === -1 ? 'covered' : `${how}: ${text.slice(Math.max(0, at - 200), at + secret.length + 50)}`).toBe('covered');
    }
  }
}

/** @param shortest bytes that are looked for: a run that holds fewer is left alone */
function* decoded(written: string, shortest: number): Generator<{ readonly how: string; readonly text: string }> {
  const base64 = new RegExp(`[A-Za-z0-9+/_-]{${Math.ceil((shortest * 4) / 3)},}`, 'g');
  const hex = new RegExp(`[0-9a-f]{${2 * shortest},}`, 'gi');
  let text = written;
  for (let depth = 0; depth < 5; depth += 1) {
    const how = depth === 0 ? 'as it is' : `JSON in JSON, ${depth} deep`;
    yield { how, text };
    yield { how: `${how}, in a pointer`, text: text.replaceAll('~1', '/').replaceAll('~0', '~') };
    yield { how: `${how}, in a URL`, text: text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, fromUrl) };
    yield { how: `${how}, base64`, text: runs(text, base64, 4, (run) => Buffer.from(run, 'base64')) };
    yield {
      how: `${how}, base64 in lines`,
      text: runs(text.replace(/[\r\n]+/g, ''), base64, 4, (run) => Buffer.from(run, 'base64')),
    };
    yield { how: `${how}, hex`, text: runs(text, hex, 2, (run) => Buffer.from(run, 'hex')) };
    const deeper = text.replace(/\\(u[0-9a-f]{4}|.)/gi, (whole) => unescaped(whole));
    if (deeper === text) return;
    text = deeper;
  }
}

/** All runs of an alphabet, read from each place at which a group may begin. */
function runs(text: string, pattern: RegExp, group: number, read: (run: string) => Buffer): string {
  const found = text.match(pattern) ?? [];
  return found.flatMap((run) => Array.from({ length: group }, (_, start) => read(run.slice(start)).toString('utf8'))).join('\n');
}

function fromUrl(codes: string): string {
  return Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8');
}

function unescaped(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
