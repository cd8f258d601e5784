import { coverSecrets } from '../core/secrets/secretPatterns.js';

/**
 * A text of a config file in one short, recognizable line: white space and invisible characters as single spaces, anything
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
  // Drop half a surrogate pair.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Joiners count as visible after a letter or sign of a script: there they shape Persian words and join emoji. */
const hidden = /(?:[\s\p{Cc}\p{Zl}\p{Zp}]|(?<=[\0-\x7f])[\u200c\u200d]|(?![\u200c\u200d])\p{Cf})+/gu;
