/** One simple command of a shell text. */
export interface ShellCommand {
  readonly words: readonly string[];
}

/**
 * The commands of a text for a POSIX shell: words, quotes, comments, `&&`, `;`, pipes, redirections and lines that go on after `\`. Variables
 * that are set before a command are left out.
 *
 * @throws an open quote, or a form that is not known here
 */
export function shellCommands(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  const end = () => {
    const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    if (start >= 0) commands.push({ words: words.slice(start) });
    words = [];
  };
  const space = String.raw`\\\n|[ \t]+|(?<=^|\s)#[^\n]*`;
  const redirection = String.raw`(?<redirection>[0-9]?(?:>>|>|<)[ \t]*)`;
  const word = String.raw`(?<word>(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\;|&<>])+)`;
  const token = new RegExp(String.raw`${space}|(?<end>\n|&&|\|\||[;|&])|${redirection}|${word}`, 'gy');
  let skipNext = false;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const found = token.exec(text);
    if (found === null) throw new Error(`no shell text from here on: ${text.slice(at, at + 40)}`);
    const { end: isEnd, redirection, word } = found.groups!;
    if (isEnd !== undefined) end();
    else if (redirection !== undefined) skipNext = true;
    else if (word !== undefined && skipNext) skipNext = false;
    else if (word !== undefined) words.push(unquoted(word));
  }
  end();
  return commands;
}

function unquoted(word: string): string {
  return word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_all, double?: string, single?: string, escaped?: string) =>
    double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
  );
}
