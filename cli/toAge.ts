import { InvalidArgumentError } from 'commander';

const units: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** An age as options take it, `12h`, in milliseconds. @throws InvalidArgumentError, which commander tells with the option */
export function toAge(value: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mhdw])$/.exec(value) ?? [];
  if (count === undefined || unit === undefined) throw new InvalidArgumentError('Expected an age such as 90m, 12h, 30d or 8w.');
  return Number(count) * (units[unit] ?? 0);
}
