import { expect } from 'vitest';
import { LlmError } from '../../core/errors.js';

/** What a call of a model is refused with. */
export async function failure(calling: Promise<unknown>): Promise<LlmError> {
  const error = await calling.then(
    () => expect.fail('the call succeeded'),
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(LlmError);
  return error as LlmError;
}
