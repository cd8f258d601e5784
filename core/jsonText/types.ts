import type { TextRange } from '../finding.js';

export interface SyntaxFault {
  readonly code: 'json-syntax' | 'json-comment' | 'trailing-comma' | 'duplicate-key';
  readonly message: string;
  readonly range: TextRange;
  /** Pointer of the innermost value around the fault that could be read. */
  readonly pointer: string;
  /** For duplicate-key: the first occurrence of the key. */
  readonly first?: TextRange;
}
