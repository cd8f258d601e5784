import { groupBy } from '../groupBy.js';

/**
 * Whether every text that `narrow` matches is matched by `wide`. In both, `*` stands for any text and `?` for one character. Takes at most the
 * product of the two lengths.
 */
export function wildcardCovers(wide: string, narrow: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let next = 0;
  while (next < narrow.length) {
    const character = narrow[next];
    if (wide[at] === '*') {
      star = at;
      resume = next;
      at += 1;
    } else if (at < wide.length && character !== '*' && (wide[at] === '?' || wide[at] === character)) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      resume += 1;
      at = star + 1;
      next = resume;
    } else return false;
  }
  while (wide[at] === '*') at += 1;
  return at === wide.length;
}

/** The same for commands, where ` *` at the end also matches the command without arguments. */
export function commandCovers(wide: string, narrow: string): boolean {
  return formsOf(narrow).every((form) => formsOf(wide).some((other) => wildcardCovers(other, form)));
}

function formsOf(pattern: string): readonly string[] {
  return pattern.endsWith(' *') ? [pattern, pattern.slice(0, -2)] : [pattern];
}

/** The text before the first wildcard. */
function headOf(pattern: string): string {
  return (/^[^*?]*/.exec(pattern)?.[0] ?? '').trimEnd();
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

/**
 * Finds the items whose pattern may cover another one, by the texts that both begin with, or end with: to compare each of 10,000 rules with each
 * other one takes seconds.
 */
export function indexPatterns<Item>(items: readonly Item[], patternOf: (item: Item) => string): (pattern: string) => readonly Item[] {
  const headless = items.filter((item) => headOf(patternOf(item)) === '');
  const findByHead = indexHeads(
    items.filter((item) => headOf(patternOf(item)) !== ''),
    patternOf,
  );
  const findByTail = indexHeads(headless, (item) => reversed(patternOf(item)));
  return (pattern) => [...findByHead(pattern), ...findByTail(reversed(pattern))];
}

function indexHeads<Item>(items: readonly Item[], patternOf: (item: Item) => string): (pattern: string) => readonly Item[] {
  const byHead = groupBy(items, (item) => headOf(patternOf(item)));
  const lengths = [...new Set([...byHead.keys()].map(({ length }) => length))];
  return (pattern) => {
    const head = headOf(pattern);
    return lengths.flatMap((length) => (length <= head.length ? (byHead.get(head.slice(0, length)) ?? []) : []));
  };
}
