/**
 * A span of time as every face shows it: `840 ms`, `2.41 s`, `1 min 5 s`.
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
