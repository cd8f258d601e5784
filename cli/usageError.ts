/** The command was called in a way it cannot work. The message says what to do instead; it ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** As programs see it: what was typed is wrong, or what the input it names holds. */
  readonly code: 'usage' | 'input-invalid';

  constructor(message: string, code: UsageError['code'] = 'usage') {
    super(message);
    this.code = code;
  }
}
