import { pointerOf } from '../json.js';
import { quoted } from '../words.js';
import type { Rule } from './rule.js';
import { findInvisible, hiddenText, type Invisible, mayHoldInvisible, nameOf } from './support/invisible.js';
import { visitStrings } from './support/visitStrings.js';

/**
 * Zero-width, direction-changing and tag characters: a model reads what no reviewer sees. Keys are looked at too, since one that looks
 * like a field and is none is worse than any text. Payloads are data, and left alone.
 */
export const invisibleCharacters: Rule = {
  code: 'invisible-characters',
  severity: 'warning',
  kinds: ['agent', 'persona', 'llm', 'prompt', 'system', 'mcp', 'rootMcp', 'vscodeMcp', 'lock', 'orchestration'],
  on: 'value',
  check({ text, value }, _context, report) {
    // A BOM at the start of the file is none of this; an escape can stand for any character.
    if (!mayHoldInvisible(text.startsWith('\uFEFF') ? text.slice(1) : text) && !text.includes('\\u')) return;
    visitStrings(value, (string, half, segments) => {
      for (const found of findInvisible(string)) {
        const place = half === 'key' ? { target: 'key' as const } : { within: { start: found.start, end: found.end } };
        const codes = found.codePoints.slice(0, 50).map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
        report({
          pointer: pointerOf(...segments()),
          ...place,
          message: messageFor(found),
          data: { codes, start: found.start, end: found.end },
        });
      }
    });
  },
};

function messageFor(found: Invisible): string {
  const [first = 0] = found.codePoints;
  const count = found.codePoints.length;
  const hidden = hiddenText(found);
  const what = count === 1 ? `An invisible character: ${nameOf(first)}` : `${count} invisible characters, the first ${nameOf(first)}`;
  return `${what}.${hidden === '' ? '' : ` A model may read ${quoted(hidden)} here.`} Remove ${count === 1 ? 'it' : 'them'}.`;
}
