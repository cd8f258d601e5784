/** A name that may be a file, in UTF-16 units of its text, with the line and the column that follow it; 0 for none. */
export interface FileName {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

const written =
  /(?<![\p{L}\p{N}_/\\:.@~#-])((?:[A-Za-z]:[\\/]|(?:\.{1,2}[\\/])+|[\\/])?[\p{L}\p{N}_.@+-]+(?:[\\/][\p{L}\p{N}_.@+-]+)*)(?::(\d+)(?:[:-](\d+))?|#L(\d+))?(?![\p{L}\p{N}_/\\:#])/gu;

/** What may be names of files in a text. Whether there are such files, only the extension can tell. */
export function findFileNames(text: string): readonly FileName[] {
  return [...text.matchAll(written)].flatMap((match): FileName[] => {
    const [whole, path = '', colonLine, second, hashLine] = match;
    const line = Number(colonLine ?? hashLine ?? 0);
    // A path at the end of a sentence.
    const name = line > 0 ? path : path.replace(/[.+-]+$/, '');
    const isLikely = /[\\/]/.test(name) ? /\p{L}/u.test(name) : /^\.\p{L}|\.\p{L}[\p{L}\p{N}_-]*$/u.test(name);
    if (!isLikely) return [];
    const isRange = colonLine !== undefined && whole.slice(path.length + 1 + colonLine.length).startsWith('-');
    const end = match.index + (line > 0 ? whole.length : name.length);
    return [{ start: match.index, end, name, line, column: isRange ? 0 : Number(second ?? 0) }];
  });
}
