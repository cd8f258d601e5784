import { InvalidArgumentError, Option } from 'commander';
import { isDay } from '../core/day.js';

const units: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** An age as options take it, `12h`, in milliseconds. @throws InvalidArgumentError, which commander tells with the option */
export function toAge(value: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mhdw])$/.exec(value) ?? [];
  if (count === undefined || unit === undefined) throw new InvalidArgumentError('Expected an age such as 90m, 12h, 30d or 8w.');
  return Number(count) * (units[unit] ?? 0);
}

/** An amount in USD as options take it: `0.50`, `.05`, `2`. @throws InvalidArgumentError */
export function parseUsd(value: string): number {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})$/.test(value)) throw new InvalidArgumentError('Expected an amount in USD such as 0.50.');
  return Number(value);
}

/** Reads a whole number from `least` to `most` (default: any of at most 9 digits). The reader throws InvalidArgumentError. */
export function toCount(least: number, most?: number): (value: string) => number {
  return (value) => {
    const count = Number(value);
    if (/^\d{1,9}$/.test(value) && least <= count && count <= (most ?? count)) return count;
    throw new InvalidArgumentError(`Expected a whole number${most === undefined ? `, ${least} or more` : ` from ${least} to ${most}`}.`);
  };
}

/** A time as options take it. @throws InvalidArgumentError, which commander tells with the option */
export function toMilliseconds(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Expected milliseconds, a whole number above 0.');
  return Number(value);
}

/** A day as options take it. @throws InvalidArgumentError */
export function toDay(value: string): string {
  if (!isDay(value)) throw new InvalidArgumentError('Expected a day such as 2026-12-11.');
  return value;
}

// Options that several verbs have.
export const environmentOption = ['--env, --environment <name>', "environment whose settings apply (default: the project's)"] as const;
export const asOfOption = ['--as-of <day>', 'day as of which models end (default: today, in UTC)', toDay] as const;
export const unpricedOption = [
  '--allow-unpriced',
  'run although a budget cannot be enforced, since the price of a model is unknown',
] as const;
export const replayOption = [
  '--replay <file>',
  'answer from such a file: no model, no tool, no server, no key; without an input of its own it takes the recorded one',
] as const;

export function eventsOption(): Option {
  return new Option('--events <format>', 'print every event as it happens, one JSON object a line').choices(['jsonl']);
}

/** @param who calls the tools */
export function allowToolsOption(who: string): readonly [flags: string, description: string] {
  const names = '(TOOL or SERVER/TOOL, with commas between; * for any characters; all without names)';
  return ['--allow-tools [names]', `let ${who} call these tools of MCP servers ${names}`];
}
