/**
 * A text with a space in place of each tag, scripts and styles with all that is in them. Takes linear time for any text: a pattern looks for the end
 * of a tag again from each `<`.
 */
export function withoutTags(text: string): string {
  // Not `toLowerCase`, which makes some characters longer.
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const endless = new Set<string>();
  let plain = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open < 0) break;
    const name = ['script', 'style'].find((one) => !endless.has(one) && lower.startsWith(one, open + 1));
    const end = name === undefined ? '>' : `</${name}>`;
    const close = lower.indexOf(end, open + 1);
    if (close < 0) {
      // Without an end there is none for a later one either.
      if (name === undefined) break;
      endless.add(name);
      continue;
    }
    plain += `${text.slice(at, open)} `;
    at = close + end.length;
  }
  return plain + text.slice(at);
}
