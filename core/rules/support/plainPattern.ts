/** No groups, so no lookaround, no backreference, and repetitions that do not multiply; short enough for any engine. */
const plain = /^(?:[\w ^$.*+?|\-:,@/#%&~;=!<>"'`]|\\[dDwWsS.]|\[\^?[\w .:@/#-]+\]|\{\d{1,2}(?:,\d{0,2})?\})*$/;
const longest = 200;

/**
 * Whether a regular expression is surely fine for the linear-time engine, told without loading it: true for the patterns that most
 * schemas have, such as `^[A-Z]{3}-\d+$`. False means that the engine has to decide.
 */
export function isPlainPattern(pattern: string): boolean {
  if (pattern.length > longest || !plain.test(pattern)) return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    // No regular expression at all: the engine has the words for it.
    return false;
  }
}
