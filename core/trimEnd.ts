/**
 * The text without those of the given characters (UTF-16 units) that end it. Takes linear time for any text: a pattern such as
 * `/[;)]+$/` tries again from each of them.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
