import { errorTitle } from '../core/errorTitles.js';
import { isObject, type Json } from '../core/json.js';
import { visibleText } from '../core/visibleText.js';
import type { Styles } from './terminal/styles.js';

/** An error of a result, which may have been read back. */
export interface ToldError {
  readonly code: string;
  readonly message: string;
  readonly details?: Json | undefined;
}

/** The title of an error with its code, `The key was refused (llm/auth):`. It is red, except for a cancelled run, which is not a failure. */
export function errorHeading({ code, details }: ToldError, { red, yellow }: Pick<Styles, 'red' | 'yellow'>): string {
  const title = visibleText(errorTitle(code, reasonOf(details)));
  return (code === 'cancelled' ? yellow : red)(`${title}:`);
}

/** The same on one line, without colours. */
export function errorLine(error: ToldError): string {
  return `${visibleText(errorTitle(error.code, reasonOf(error.details)))}: ${error.message}`;
}

function reasonOf(details: Json | undefined): string | null {
  return isObject(details) && typeof details.reason === 'string' ? details.reason : null;
}
