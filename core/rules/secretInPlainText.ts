import type { ConfigFile } from '../config/configFile.js';
import { isMcpKind, type McpKind, mcpFiles, serversIn } from '../config/mcpFiles.js';
import type { TextRange } from '../finding.js';
import { isObject, type Json, pointerOf } from '../json.js';
import type { Kind } from '../kinds.js';
import { isWritten, namedSecrets } from '../secrets/namedSecrets.js';
import { isSecretName, looksLikeSecret, maskSecret, mayHoldSecret } from '../secrets/secretPatterns.js';
import type { Report, Rule } from './rule.js';
import { checkKeyVariables } from './support/keyVariables.js';
import { visitStrings } from './support/visitStrings.js';

/**
 * Something shaped like a key, a token or a password, anywhere in any file: a config is committed, shown in reviews and sent to models.
 * Runs on broken files too. No finding ever holds the secret itself, not even in its pointer.
 */
export const secretInPlainText: Rule = {
  code: 'secret-in-plain-text',
  severity: 'error',
  kinds: 'all',
  on: 'text',
  check(file, { project }, report) {
    const { kind } = file.identity;
    if (isMcpKind(kind)) checkServers(kind, file.value, report);
    if (kind === 'llm') checkOptions(file.value, '', report);
    if (kind === 'system' && isObject(file.value) && isObject(file.value.llms))
      for (const [id, profile] of Object.entries(file.value.llms)) checkOptions(profile, pointerOf('llms', id), report);
    checkKeyVariables(file, project, report);
    if (!mayHoldSecret(file.text)) return;
    if (file.value === undefined) checkText(file, report);
    else checkValue(file, report);
  },
};

/** Values of servers whose names say that they are secrets. Those with a known shape are reported by `checkValue`. */
function checkServers(kind: McpKind, value: Json | undefined, report: Report): void {
  for (const [id, server] of serversIn(kind, value)) {
    for (const { path, name, secret, start } of namedSecrets(server)) {
      const key = path[0] === 'args' ? undefined : name;
      if (looksLikeSecret(secret, key) === undefined) tellNamed(kind, secret, pointerOf(mcpFiles[kind].key, id, ...path), start, report);
    }
  }
}

/** What a profile hands on to its provider under the name of a secret: `options.api_key`. */
function checkOptions(profile: Json | undefined, pointer: string, report: Report): void {
  const options = isObject(profile) && isObject(profile.options) ? profile.options : {};
  for (const [name, text] of Object.entries(options)) {
    if (typeof text !== 'string' || !isSecretName(name) || looksLikeSecret(text, name) !== undefined || !isWritten(text)) continue;
    tellNamed('llm', text, pointer + pointerOf('options', name), 0, report);
  }
}

function tellNamed(kind: Kind, secret: string, pointer: string, start: number, report: Report): void {
  const end = start + secret.length;
  report({ pointer, within: { start, end }, message: messageFor('by its name', secret, kind), data: { shape: 'by its name', start, end } });
}

function checkValue(file: ConfigFile, report: Report): void {
  visitStrings(file.value, (text, half, segments) => {
    const key = half === 'value' ? segments().findLast((segment) => !/^\d+$/.test(segment)) : undefined;
    const found = looksLikeSecret(text, key);
    if (found === undefined) return;
    const { start, end, name } = found;
    const message = messageFor(name, text.slice(start, end), file.identity.kind);
    const path = segments();
    const clean = path.findIndex((segment) => looksLikeSecret(segment) !== undefined);
    if (clean === -1) {
      report({ pointer: pointerOf(...path), within: { start, end }, message, data: { shape: name, start, end } });
      return;
    }
    // The pointer would spell out the secret, so the finding names the object around it and gives its place in the text.
    const range = half === 'key' ? placeInText(file.text, text) : undefined;
    const pointer = pointerOf(...path.slice(0, clean));
    if (half === 'key') report({ pointer, ...(range === undefined ? {} : { range }), message, data: { shape: name } });
    else report({ pointer, message, data: { shape: name } });
  });
}

/** A file that is not JSON is looked at as it is. One finding: what comes behind is seen when this is gone. */
function checkText(file: ConfigFile, report: Report): void {
  const found = looksLikeSecret(file.text);
  if (found === undefined) return;
  const range = { start: found.start, end: found.end };
  report({
    pointer: '',
    range,
    message: messageFor(found.name, file.text.slice(range.start, range.end), file.identity.kind),
    data: { shape: found.name },
  });
}

function placeInText(text: string, key: string): TextRange | undefined {
  const quoted = JSON.stringify(key);
  const start = text.indexOf(quoted);
  return start < 0 ? undefined : { start, end: start + quoted.length };
}

function messageFor(shape: string, secret: string, kind: Kind): string {
  const reference = `"${isMcpKind(kind) ? mcpFiles[kind].secret : 'secret://NAME'}"`;
  return `This looks like a secret (${shape}): ${maskSecret(secret)} Keep it outside the project, write ${reference} where a key is asked for, and revoke this one if it was ever shared.`;
}
