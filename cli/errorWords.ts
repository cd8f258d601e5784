import { type ToldError, toldTitle } from '../core/errorTitles.js';
import type { Styles } from './terminal/styles.js';

/** The title of an error with its code, `The key was refused (llm/auth):`. It is red, except for a cancelled run, which is not a failure. */
export function errorHeading(error: ToldError, { red, yellow }: Pick<Styles, 'red' | 'yellow'>): string {
  return (error.code === 'cancelled' ? yellow : red)(`${toldTitle(error)}:`);
}
