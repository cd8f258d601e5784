/** The command was called in a way it cannot work. The message says what to do instead; it ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
