import type { TextRange } from '../../core/finding.js';
import { JsonTree, rangeOf } from '../../core/jsonText/jsonTree.js';
import type { RefactoringContext } from './refactoring.js';

/** Names of the members at the root of a file that a selection touches; at a cursor the one it is in. */
export function selectedFields({ document, stretch }: Pick<RefactoringContext, 'document' | 'stretch'>): readonly string[] {
  const members = new JsonTree(document.text).root?.children ?? [];
  return members.filter((member) => touches(rangeOf(member), stretch)).map(({ children: [key] = [] }) => key?.value as string);
}

/** A selection excludes what it only touches at its end; a cursor is in what it touches. */
export function touches(part: TextRange, { start, end }: TextRange): boolean {
  return start === end ? part.start <= start && start <= part.end : part.start < end && start < part.end;
}

/** A legal name made from another: `Incident Extractor` becomes `incident_extractor`. */
export function snakeCase(name: string): string {
  const words = name
    .slice(0, 200)
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .replace(/[^A-Za-z0-9-]+/g, '_');
  return (
    words
      .toLowerCase()
      .replace(/^[_-]+|[_-]+$/g, '')
      .slice(0, 60) || 'new'
  );
}

/** The first of `name`, `name_2`, `name_3` ... that is not taken, ignoring letter case. */
export function freeName(name: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map((existing) => existing.toLowerCase()));
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name}_${count}`;
    if (!used.has(candidate.toLowerCase())) return candidate;
  }
}
