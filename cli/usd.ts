import { InvalidArgumentError } from 'commander';

/** An amount in USD as options take it: `0.50`, `.05`, `2`. @throws InvalidArgumentError, which commander tells with the option */
export function parseUsd(value: string): number {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})$/.test(value)) throw new InvalidArgumentError('Expected an amount in USD such as 0.50.');
  return Number(value);
}
