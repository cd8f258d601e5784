import { InvalidArgumentError } from 'commander';

/** A time as options take it. @throws InvalidArgumentError, which commander tells with the option */
export function toMilliseconds(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Expected milliseconds, a whole number above 0.');
  return Number(value);
}
