import type { TextRange } from '../finding.js';
import { escapeSegment } from '../json.js';
import { shorten } from '../words.js';
import type { SyntaxFault } from './types.js';

/** What the grammar allows next. */
type Expecting = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'colon' | 'comma-or-close' | 'end';

/** An object or list that has begun and not ended. */
export interface Frame {
  readonly close: '}' | ']';
  readonly start: number;
  /** For objects: the decoded keys so far, and where each occurred first. */
  readonly keys: Map<string, TextRange>;
  key: string;
  index: number;
}

/** The state of a JSON reader in the grammar, and the faults it has found so far. */
export class SyntaxState {
  readonly faults: SyntaxFault[] = [];
  protected readonly frames: Frame[] = [];
  protected readonly text: string;
  protected expecting: Expecting = 'value';

  constructor(text: string) {
    this.text = text;
  }

  protected report(code: SyntaxFault['code'], message: string, range: TextRange): true {
    this.faults.push({ code, message, range, pointer: this.pointer() });
    return true;
  }

  protected stop(message: string, range: TextRange, pointer = this.pointer()): false {
    this.faults.push({ code: 'json-syntax', message, range, pointer });
    return false;
  }

  protected expectsKey(): boolean {
    if (this.expecting === 'key' || this.expecting === 'key-or-close') return true;
    return this.expecting === 'comma-or-close' && this.frames.at(-1)?.close === '}';
  }

  protected expected(): string {
    const close = this.frames.at(-1)?.close ?? '}';
    switch (this.expecting) {
      case 'value':
        return this.frames.length === 0 ? '{' : 'a value';
      case 'value-or-close':
        return 'a value or ]';
      case 'key':
        return 'a key in double quotes';
      case 'key-or-close':
        return 'a key in double quotes or }';
      case 'colon':
        return `a colon after the key ${this.keyName()}`;
      case 'comma-or-close':
        return `a comma or ${close}`;
      case 'end':
        return 'the end of the file';
    }
  }

  /** The current key, as messages show it. */
  protected keyName(key = this.frames.at(-1)?.key ?? ''): string {
    return JSON.stringify(shorten(key, 40, '...'));
  }

  protected describe(range: TextRange): string {
    const excerpt = this.text.slice(range.start, Math.min(range.end, range.start + 40));
    return excerpt.length < range.end - range.start ? `${excerpt}...` : excerpt;
  }

  /** The pointer of the innermost value around this point. */
  protected pointer(): string {
    let pointer = '';
    for (const [at, frame] of this.frames.entries()) {
      const inside =
        at < this.frames.length - 1 || this.expecting === 'value' || this.expecting === 'comma-or-close' || this.expecting === 'colon';
      if (!inside) break;
      pointer += `/${frame.close === '}' ? escapeSegment(frame.key) : frame.index}`;
    }
    return pointer;
  }

  protected endValue(): void {
    this.expecting = this.frames.length === 0 ? 'end' : 'comma-or-close';
  }

  protected missingComma(range: TextRange): void {
    this.report('json-syntax', `A comma is missing before ${this.describe(range)}.`, range);
    const frame = this.frames.at(-1);
    if (frame !== undefined) frame.index += 1;
  }

  protected missingValue(range: TextRange): void {
    this.report('json-syntax', `The key ${this.keyName()} has no value.`, range);
  }
}
