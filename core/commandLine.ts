/**
 * The words of a command line, without the quotes around them; undefined for the name or path of a program. A path may contain spaces, so only
 * an option after it shows that it is a command line.
 */
export function splitCommand(command: string): readonly string[] | undefined {
  const text = command.trim();
  const isPath = /[/\\]/.test(text.split(/\s/, 1)[0] ?? '');
  if (!/\s/.test(text) || (isPath && !/\s--?[A-Za-z]/.test(text))) return undefined;
  const words = text.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return words.map((word) => (/^(["']).*\1$/s.test(word) ? word.slice(1, -1) : word));
}
