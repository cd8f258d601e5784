import { isObject, type Json, type JsonObject } from '../../../json.js';

export interface ChunkTemplate {
  /** The text of a chunk that differs from one seen before in nothing but its text, or undefined: then it has to be parsed. */
  textOf(data: string): string | undefined;
  /** Takes note of a parsed chunk. */
  learn(data: string, chunk: JsonObject): void;
}

/** Unlike chunks in a row after which a stream is taken for one whose chunks are never alike. */
const mostMisses = 8;
/** Whatever stands in a JSON string as it is. */
const verbatim = /^[^"\\\p{Cc}]*$/u;
const unknown: JsonObject = {};

/**
 * The chunks of a stream are long objects that differ in one short text. Once one has been parsed, a chunk with the same
 * characters before and after its text, and with nothing in the text that JSON would write otherwise, is known to be the
 * same object with that text: reading it this way gives what parsing gives, in a tenth of the time.
 */
export function createChunkTemplate(): ChunkTemplate {
  let before = '';
  let after = '';
  let misses = 0;

  return {
    textOf: (data) => {
      const start = before.length;
      const end = data.length - after.length;
      // Comparing slices takes a tenth of the time of startsWith and endsWith, which copy both sides.
      if (start === 0 || end < start || data.slice(0, start) !== before || data.slice(end) !== after) return undefined;
      const text = data.slice(start, end);
      if (!verbatim.test(text)) return undefined;
      misses = 0;
      return text;
    },
    learn: (data, chunk) => {
      if (misses >= mostMisses) return;
      misses++;
      const text = onlyText(chunk);
      if (text === undefined || !verbatim.test(text)) return;
      for (const opening of ['"content":"', '"content": "']) {
        // Quotes inside strings are escaped, so this is a key; were there two, either might be the one that counts.
        const at = data.indexOf(`${opening}${text}"`);
        if (at === -1 || data.includes(opening, at + 1) || data.indexOf(opening) !== at) continue;
        before = data.slice(0, at + opening.length);
        after = data.slice(at + opening.length + text.length);
        return;
      }
    },
  };
}

/** The text of a chunk that says nothing else: one choice, no finish reason, no usage. */
function onlyText({ choices, usage, error }: JsonObject): string | undefined {
  if (!Array.isArray(choices) || choices.length !== 1 || isObject(usage) || (error !== undefined && error !== null)) return undefined;
  const { index = 0, delta, finish_reason = null } = asObject((choices as readonly Json[])[0]);
  const said = asObject(delta);
  const { content } = said;
  const saysNoMore = index === 0 && finish_reason === null && otherFields.every((field) => isNothing(said[field]));
  return saysNoMore && typeof content === 'string' && content !== '' ? content : undefined;
}

/** Beside its text, what a delta may add to the answer: of a chunk that looks the same it would be missed. */
const otherFields = ['refusal', 'tool_calls', 'function_call', 'reasoning_content', 'reasoning'];

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : unknown;
}
