/** Ordinary text has one token for about four characters; here three, and one for each character beyond ASCII. */
export function cautiousTokens(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) others += 1;
  return Math.ceil((text.length - others) / 3) + others;
}
