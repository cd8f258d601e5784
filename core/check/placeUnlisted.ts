import type { ProjectSettings } from '../config/projectSettings.js';
import type { Finding, PlacedFinding } from '../finding.js';
import { placeFindings } from '../jsonText/placeFindings.js';

/** Folders that could not be listed, links that leave the project, and YAML, with the severities that the project chooses. They have no text. */
export function placeUnlisted(findings: readonly Finding[], rules: ProjectSettings['rules']): readonly PlacedFinding[] {
  return findings.flatMap((finding) => {
    const chosen = rules[finding.code];
    return chosen === 'off' ? [] : placeFindings('', [{ ...finding, severity: chosen ?? finding.severity }]);
  });
}
