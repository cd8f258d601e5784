import { isObject } from '../json.js';
import { type ParsedJson, parseJson } from './parseJson.js';
import { KnownJson, reparse } from './reparse.js';
import type { TextDifference } from './textDifference.js';

/** Below this, in UTF-16 units, looking for what has changed takes longer than reading all of it. */
const longText = 512;
const noFaults: ParsedJson['syntax'] = [];

/** How a text has become another. */
export interface TextChange extends TextDifference {
  /** The text before. */
  readonly before: string;
}

/**
 * Reads one text after the other, each much like the one before: a document while somebody types in it. The answers are those of `parseJson`,
 * but for one thing: parts of a text that are as they were before are the same objects as before.
 */
export class JsonReader {
  /** The last text without a fault: while somebody types, many in between have one. */
  private known: KnownJson | undefined;

  /** @param change how the text has come about, where somebody knows */
  read(text: string, change?: TextChange): ParsedJson {
    if (text.length < longText) {
      this.known = undefined;
      return parseJson(text);
    }
    const known = (this.known && reparse(this.known, text, this.known.text === change?.before ? change : undefined)) ?? this.readAll(text);
    if (!(known instanceof KnownJson)) return known;
    this.known = known;
    return { value: known.value, syntax: noFaults, known };
  }

  private readAll(text: string): KnownJson | ParsedJson {
    const parsed = parseJson(text);
    return isObject(parsed.value) && parsed.syntax.length === 0 ? new KnownJson(text, parsed.value) : parsed;
  }
}
