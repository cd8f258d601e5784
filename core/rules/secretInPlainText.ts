import type { ConfigFile } from '../config/configFile.js';
import type { TextRange } from '../finding.js';
import { pointerOf } from '../json.js';
import { looksLikeSecret, maskSecret, mayHoldSecret } from '../secrets/secretPatterns.js';
import type { Report, Rule } from './rule.js';
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
  check(file, _context, report) {
    if (!mayHoldSecret(file.text)) return;
    if (file.value === undefined) checkText(file, report);
    else checkValue(file, report);
  },
};

function checkValue(file: ConfigFile, report: Report): void {
  visitStrings(file.value, (text, half, segments) => {
    const key = half === 'value' ? segments().findLast((segment) => !/^\d+$/.test(segment)) : undefined;
    const found = looksLikeSecret(text, key);
    if (found === undefined) return;
    const { start, end, name } = found;
    const message = messageFor(name, text.slice(start, end));
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

/** A file that is no JSON is looked at as it is. One finding: what comes behind is seen when this is gone. */
function checkText(file: ConfigFile, report: Report): void {
  const found = looksLikeSecret(file.text);
  if (found === undefined) return;
  const range = { start: found.start, end: found.end };
  report({ pointer: '', range, message: messageFor(found.name, file.text.slice(range.start, range.end)), data: { shape: found.name } });
}

function placeInText(text: string, key: string): TextRange | undefined {
  const quoted = JSON.stringify(key);
  const start = text.indexOf(quoted);
  return start < 0 ? undefined : { start, end: start + quoted.length };
}

function messageFor(shape: string, secret: string): string {
  return `This looks like a secret (${shape}): ${maskSecret(secret)} Keep it outside the project, write "secret://NAME" where a key is asked for, and revoke this one if it was ever shared.`;
}
