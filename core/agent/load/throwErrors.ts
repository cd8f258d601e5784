import type { ConfigFile } from '../../config/configFile.js';
import { settingsPath } from '../../config/paths.js';
import { ConfigInvalidError, ConfigSyntaxError } from '../../errors.js';
import type { PlacedFinding } from '../../finding.js';
import { isObject } from '../../json.js';
import type { RuleCode } from '../../ruleCodes.js';
import { notUnderstood } from './findErrors.js';

/** Stages after parsing, in order; a code in none of them belongs to the last. */
const stages: readonly { readonly name: string; readonly codes: readonly RuleCode[] }[] = [
  { name: 'environment', codes: ['unknown-environment'] },
  { name: 'required keys', codes: ['schema', 'effective-config-incomplete', 'model-not-chosen'] },
  { name: 'identity', codes: ['name-matches-path', 'version-matches-path', 'duplicate-identity'] },
  { name: 'rules', codes: [] },
];

/**
 * Throws if a config cannot run.
 *
 * @param files the requested one, then those of the agents it calls
 * @param findings only errors; if a text is broken, only those of its syntax
 * @throws ConfigSyntaxError, ConfigInvalidError with all findings of the first stage that failed
 */
export function throwErrors(
  files: readonly [ConfigFile, ...ConfigFile[]],
  findings: readonly PlacedFinding[],
  what: 'agent' | 'orchestration',
): void {
  const [file] = files;
  const broken = files.find(({ syntax }) => syntax.length > 0) ?? (isObject(file.value) ? undefined : file);
  if (broken) throw new ConfigSyntaxError(findingsLine(broken.path, 'is not valid JSON', findings), findings);
  // Everything else depends on the settings.
  const ofSettings = findings.filter(({ file: path, code }) => path === settingsPath && notUnderstood.includes(code));
  if (ofSettings.some(({ code }) => code === 'schema'))
    throw new ConfigInvalidError(findingsLine(settingsPath, 'is not valid', ofSettings), ofSettings);
  if (ofSettings.length > 0) throw new ConfigSyntaxError(findingsLine(settingsPath, 'is not valid JSON', ofSettings), ofSettings);
  for (const { name, codes } of stages) {
    const failed = codes.length > 0 ? findings.filter(({ code }) => codes.includes(code)) : findings;
    if (failed.length > 0) throw new ConfigInvalidError(findingsLine(file.path, `is not a valid ${what} config (${name})`, failed), failed);
  }
}

/** The message of an error, in one line. */
export function findingsLine(path: string, verdict: string, findings: readonly PlacedFinding[]): string {
  const lines = findings.map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code}: ${message}`);
  return `${path} ${verdict}: ${lines.join('; ')}`;
}
