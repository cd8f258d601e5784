/** A template path in single braces, such as `{input.task}`. `start` and `end` count UTF-16 units, braces included. */
export interface SinglePath {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Only what begins as a path of ours does: other braces are for JSON, code and other tools. */
const singlePath = /(?<![{$])\{[ \t]*((?:input|context|tasks|steps)(?:\.[\p{L}\p{N}_$-]+)+)[ \t]*\}(?!\})/gu;

/** The paths of a template that are not filled in for want of a second brace, in order. */
export function findSinglePaths(text: string): readonly SinglePath[] {
  return [...text.matchAll(singlePath)].map(({ 0: written, 1: path = '', index }) => ({ path, start: index, end: index + written.length }));
}
