import { isObject } from '../json.js';
import { type ParsedJson, parseJson } from './parseJson.js';
import { KnownJson, reparse } from './reparse.js';

/** Below this, in UTF-16 units, a text is parsed in less than a millisecond. */
const longText = 65_536;
const noFaults: ParsedJson['syntax'] = [];

/**
 * Reads one text after the other, each much like the one before: a document while somebody types in it. The answers are those of `parseJson`,
 * but for one thing: parts of a long text that are as they were before are the same objects as before.
 */
export class JsonReader {
  /** The last text without a fault: while somebody types, many in between have one. */
  private known: KnownJson | undefined;

  read(text: string): ParsedJson {
    if (text.length < longText) {
      this.known = undefined;
      return parseJson(text);
    }
    const again = this.known && reparse(this.known, text);
    if (again !== undefined) {
      this.known = again;
      return { value: again.value, syntax: noFaults };
    }
    const parsed = parseJson(text);
    if (isObject(parsed.value) && parsed.syntax.length === 0) this.known = new KnownJson(text, parsed.value);
    return parsed;
  }
}
