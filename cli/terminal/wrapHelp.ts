import { stripVTControlCharacters } from 'node:util';

/** Continues a command on the next line, in a POSIX shell. */
const continued = ' \\';

/**
 * The lines of a help text, wrapped between words at `columns`. A wrapped line keeps its indentation. An example stays a command that can be
 * copied.
 *
 * @param name how examples begin
 */
export function wrapHelp(text: string, columns: number, name: string): string {
  return text
    .split('\n')
    .flatMap((line) =>
      lengthOf(line) <= columns ? [line] : line.startsWith(`  ${name} `) ? wrapExample(line, columns) : wrapLine(line, columns),
    )
    .join('\n');
}

function wrapLine(line: string, columns: number): readonly string[] {
  return wrap(line, columns, /^ */.exec(line)?.[0] ?? '', '');
}

function wrapExample(line: string, columns: number): readonly string[] {
  return wrap(line, columns, '      ', continued);
}

/** A word that is longer than a line gets a separate line. Quoted words of an example stay together. */
function wrap(line: string, columns: number, indent: string, end: string): readonly string[] {
  const words = line.trimStart().match(end === '' ? /\S+/g : /(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  const lines: string[] = [];
  let current = line.slice(0, line.length - line.trimStart().length) + (words[0] ?? '');
  for (const word of words.slice(1)) {
    if (lengthOf(current) + 1 + lengthOf(word) <= columns - end.length) {
      current += ` ${word}`;
      continue;
    }
    lines.push(current + end);
    current = indent + word;
  }
  return [...lines, current];
}

/** Without the styles of a terminal. */
function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
