import { AgentStackError } from '../errors.js';
import type { Position } from '../jsonText/textPositions.js';

interface ImportErrorFields {
  readonly place?: Position;
  readonly choices?: readonly string[];
}

/** The files cannot be imported as they are; the message names the file, the place and the way out. */
export class ImportError extends AgentStackError {
  override readonly name = 'ImportError';
  readonly code = 'input-invalid';
  readonly file: string;
  readonly place: Position;
  /** Ids of the importers that fit the file, if there are several. */
  readonly choices: readonly string[];

  constructor(file: string, message: string, { place = { line: 1, column: 1 }, choices = [] }: ImportErrorFields = {}) {
    super(message);
    this.file = file;
    this.place = place;
    this.choices = choices;
  }
}
