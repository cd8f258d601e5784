import { coverSecrets } from '../core/secrets/secretPatterns.js';

/**
 * A text of a config file in one short line, for a person to recognize it: white space and what shows nothing as single spaces, anything
 * shaped like a secret covered.
 *
 * @param longest in UTF-16 units
 */
export function preview(text: string, longest = 80): string {
  const near = coverSecrets(text.slice(0, longest * 4))
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (near.length <= longest && text.length <= longest * 4) return near;
  const cut = near.slice(0, longest - 1);
  // Half a character is none.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
