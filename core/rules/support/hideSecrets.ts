import type { ConfigFile } from '../../config/configFile.js';
import type { Finding } from '../../finding.js';
import { valueAt } from '../../json.js';
import { coverSecrets, looksLikeSecret, maskSecret, mayHoldSecret } from '../../secrets/secretPatterns.js';

/**
 * The findings of a file with no secret in any message: rules quote keys and values, and one of them may be a secret. What
 * `secret-in-plain-text` found by the name of its key alone is hidden wherever else it is quoted.
 */
export function hideSecrets(file: ConfigFile, findings: Finding[]): Finding[] {
  if (findings.length === 0 || !mayHoldSecret(file.text)) return findings;
  const secrets = findings.flatMap((finding) => secretOf(file, finding) ?? []);
  const clean = (text: string) => {
    const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, maskSecret(secret)), text);
    return looksLikeSecret(known) === undefined ? known : coverSecrets(known);
  };
  return findings.map((finding) => ({
    ...finding,
    message: clean(finding.message),
    ...(finding.related && { related: finding.related.map((place) => ({ ...place, message: clean(place.message) })) }),
    ...(finding.data && { data: JSON.parse(clean(JSON.stringify(finding.data))) }),
  }));
}

function secretOf(file: ConfigFile, { code, pointer, within }: Finding): string | undefined {
  if (code !== 'secret-in-plain-text' || within === undefined) return undefined;
  const value = valueAt(file.value, pointer);
  return typeof value === 'string' ? value.slice(within.start, within.end) : undefined;
}
