import { usdBoundText, usdRangeText, usdText } from '../../../../core/amounts.js';

/** Numbers as the user's language writes them. */
export function number(value: number, digits = 0): string {
  return value.toLocaleString(language(), { maximumFractionDigits: digits });
}

/** Money as the user's language writes it. */
export function dollars(value: number): string {
  return usdText(value, language());
}

/** The same of an upper bound. */
export function dollarsAtMost(value: number): string {
  return usdBoundText(value, language());
}

/** From the cost of the prompt to the most that the answer can add. */
export function dollarRange(least: number, most: number): string {
  return usdRangeText(least, most, language());
}

function language(): string {
  return document.documentElement.lang || 'en';
}
