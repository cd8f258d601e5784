import { RE2JS, RE2JSException } from 're2js';
import { toRe2Syntax, UnsupportedRegExp } from './regExpSyntax.js';

export type LinearRegExp =
  | { readonly ok: true; readonly test: (text: string) => boolean }
  /** `message`: the reason, as the end of a sentence about the pattern. */
  | { readonly ok: false; readonly message: string };

/** Longest pattern, in UTF-16 units. */
const longestPattern = 10_000;

/**
 * An ECMAScript regular expression that runs in time linear in the text, for every pattern. Finds a match anywhere, as JSON
 * Schema's `pattern` requires. Loads re2js, so this file is loaded lazily.
 */
export function linearRegExp(pattern: string, { ignoreCase = false } = {}): LinearRegExp {
  if (pattern.length > longestPattern) return { ok: false, message: `it is longer than ${longestPattern} characters` };
  const fault = syntaxFault(pattern);
  if (fault !== undefined) return { ok: false, message: fault };
  try {
    const compiled = RE2JS.compile(toRe2Syntax(pattern), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return { ok: true, test: (text) => compiled.test(text) };
  } catch (error) {
    if (error instanceof UnsupportedRegExp) return { ok: false, message: error.message };
    if (error instanceof RE2JSException) return { ok: false, message: `the linear-time engine refuses it (${error.message})` };
    throw error;
  }
}

/** Patterns in the wild are written for either mode: `\-` is refused with the u flag, `\u{1F600}` needs it. */
function syntaxFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    try {
      new RegExp(pattern);
      return undefined;
    } catch {
      return `it is not a regular expression (${(error as Error).message})`;
    }
  }
}
