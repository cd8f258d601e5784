import type { createWords } from '../page.js';

export type Words = ReturnType<typeof createWords>;

/** A span of time as people say it: `840 ms`, `2.41 s`, `1 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(2)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.floor((milliseconds % 60_000) / 1_000)} s`;
}

/** The same of what goes on: `2 s`, `1 min 5 s`. */
export function elapsed(milliseconds: number): string {
  return milliseconds < 60_000 ? `${Math.floor(milliseconds / 1_000)} s` : duration(milliseconds);
}

/** Six places, as single calls cost fractions of a cent. */
export function dollars(usd: number): string {
  return usd === 0 ? '0 USD' : `${usd < 0.000001 ? usd.toExponential(1) : usd.toFixed(6)} USD`;
}

export function count(value: number): string {
  return value.toLocaleString(document.documentElement.lang || 'en');
}
