import { AgentStackError } from '../errors.js';
import type { Position } from '../jsonText/textPositions.js';

/** The files cannot be imported as they are; the message names the file, the place and the way out. */
export class ImportError extends AgentStackError {
  override readonly name = 'ImportError';
  readonly code = 'input-invalid';
  readonly file: string;
  readonly place: Position;

  constructor(file: string, message: string, place: Position = { line: 1, column: 1 }) {
    super(message);
    this.file = file;
    this.place = place;
  }
}
