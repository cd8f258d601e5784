import { coverSecrets } from '../core/secrets/secretPatterns.js';

/**
 * A text of a config file in one short line, for a person to recognize it: white space and what shows nothing as single spaces, anything
 * shaped like a secret covered.
 *
 * @param longest in UTF-16 units
 */
export function preview(text: string, longest = 80): string {
  const near = coverSecrets(text.slice(0, longest * 4))
    .replace(hidden, ' ')
    .trim();
  if (near.length <= longest && text.length <= longest * 4) return near;
  const cut = near.slice(0, longest - 1);
  // Half a character is none.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Joiners count as visible behind a letter or sign of a script: there they shape Persian words and join emoji. */
const hidden = /(?:[\s\p{Cc}\p{Zl}\p{Zp}]|(?<=[\0-\x7f])[\u200c\u200d]|(?![\u200c\u200d])\p{Cf})+/gu;
