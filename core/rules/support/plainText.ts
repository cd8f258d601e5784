import type { ConfigFile } from '../../config/configFile.js';
import { mayHoldSecret } from '../../secrets/secretPatterns.js';
import type { RuleCode } from '../codes.js';
import { mayHoldInvisible } from './invisible.js';

/** The rules that have nothing to say about a file whose text is plain. A test holds this true. */
export const textRules: ReadonlySet<RuleCode> = new Set<RuleCode>([
  'secret-in-plain-text',
  'invisible-characters',
  'env-unset',
  'placeholder-invalid',
]);

/** Whether a text has no escape that may stand for any character, no placeholder, no template path, nothing invisible, and nothing that may be a secret. */
export function isPlainText({ text }: ConfigFile): boolean {
  // A `\u` may stand for any character, so with one in it a text may hold secrets as well.
  return !text.includes('${') && !text.includes('{{') && !mayHoldInvisible(text) && !mayHoldSecret(text);
}
