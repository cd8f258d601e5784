/**
 * A duration in the format of all faces: `840 ms`, `2.41 s`, `1 min 5 s`.
 *
 * @param language BCP 47; it decides how the number is written
 */
export function durationText(milliseconds: number, language = 'en'): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) {
    const seconds = (milliseconds / 1_000).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return `${seconds} s`;
  }
  return `${Math.floor(milliseconds / 60_000)} min ${Math.floor((milliseconds % 60_000) / 1_000)} s`;
}

/**
 * An amount of money in the format of all faces: `0.000452 USD`, `0.43 USD`, `1,240.00 USD`. Two decimal places; below 1 USD three significant
 * digits, since a single call may cost less than a cent.
 *
 * @param language BCP 47; it decides how the number is written, as in `0,43 USD`
 */
export function usdText(amount: number, language = 'en'): string {
  return `${written(amount, language)} USD`;
}

/** An amount in USD for JSON: 10 significant digits, so that sums show no rounding of binary fractions (`0.00042000000000000002`). */
export function roundedUsd(amount: number): number {
  return Number(amount.toPrecision(10));
}

/** The same for an upper bound: rounded up, so that it remains one. */
export function usdBoundText(amount: number, language = 'en'): string {
  if (amount === 0) return usdText(0, language);
  const scale = 10 ** digitsOf(amount);
  // An integer, apart from the rounding of binary fractions, is kept.
  return usdText(Math.ceil(amount * scale - 1e-6) / scale, language);
}

/** A range of amounts: `0.0012–0.0034 USD`. The upper one is a bound. */
export function usdRangeText(least: number, most: number, language = 'en'): string {
  return `${written(least, language)}–${usdBoundText(most, language)}`;
}

function written(amount: number, language: string): string {
  if (amount === 0) return '0';
  return amount.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: digitsOf(amount) });
}

function digitsOf(amount: number): number {
  // A file may have a negative value.
  const size = Math.abs(amount);
  return size >= 1 ? 2 : Math.min(mostDigits, 2 - Math.floor(Math.log10(size)));
}

/** No vendor charges smaller amounts. */
const mostDigits = 12;
