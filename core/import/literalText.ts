import { findPlaceholders } from '../snapshot/placeholders.js';

/**
 * A text that is sent as it is although it holds what reads as an environment variable: `${HOME}` becomes `${DOLLAR:-$}{HOME}`, where `DOLLAR` is
 * unset, or a dollar sign, as envsubst has it.
 */
export function literalText(text: string): string {
  let literal = '';
  let done = 0;
  for (const { start } of findPlaceholders(text)) {
    literal += `${text.slice(done, start)}\${DOLLAR:-$}`;
    done = start + 1;
  }
  return literal + text.slice(done);
}
