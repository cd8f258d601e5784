import type { TextRange } from '../../finding.js';

/** What keeps a file of another tool from being read. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  readonly range: TextRange;
  /** Whether the text breaks the rules of its format; otherwise it uses what is not allowed here. */
  readonly isSyntax: boolean;

  constructor(message: string, range: TextRange, isSyntax: boolean) {
    super(message);
    this.range = range;
    this.isSyntax = isSyntax;
  }
}

/** A text as the value it stands for, and where each part of it is written. */
export interface ReadText<Value> {
  readonly value: Value;
  /** Where the value at a pointer is written, or its key; of a pointer to nothing, the nearest value around it. */
  rangeOf(pointer: string, target?: 'key' | 'value'): TextRange;
}
