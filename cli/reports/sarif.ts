import type { AnyFinding, AnyRuleCode, Finding, RelatedPlace, Severity } from '../../core/finding.js';
import { rules } from '../../core/generated/rules.js';
import { toolRuleFacts } from '../../core/otherTools/index.js';
import { allRuleCodes as ruleCodes } from '../../core/rules/ruleNames.js';
import { toSafeJson } from '../../core/visibleText.js';
import { findRulePage } from '../rulePage.js';
import type { Report } from './report.js';

/**
 * A SARIF 2.1.0 log (OASIS standard) of one run, with every rule and its page, for code scanning and viewers.
 *
 * @param uriOf where a project file is below the repository's root, which the log calls %SRCROOT%
 */
export async function toSarifReport(report: Report, uriOf: (file: string) => string, version: string): Promise<string> {
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Agent Stack', version, rules: await Promise.all(ruleCodes.map(toRule)) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
        results: report.findings.map((finding) => toResult(finding, uriOf)),
      },
    ],
  };
  return toSafeJson(log);
}

async function toRule(code: AnyRuleCode) {
  const page = await findRulePage(code);
  const severity = [...rules, ...toolRuleFacts].find((rule) => rule.code === code)?.severity ?? 'warning';
  return {
    id: code,
    name: code.replace(/(?:^|[-/])(\w)/g, (_, letter: string) => letter.toUpperCase()),
    ...(page && { shortDescription: { text: page.summary || code }, help: { text: page.text, markdown: page.text } }),
    defaultConfiguration: { level: levels[severity] },
  };
}

const levels: Record<Severity, 'error' | 'warning' | 'note'> = { error: 'error', warning: 'warning', info: 'note', hint: 'note' };

function toResult(finding: AnyFinding, uriOf: (file: string) => string) {
  const { code, severity, message, pointer, related = [] } = finding;
  const location = toLocation(finding, uriOf);
  const relatedLocations = related.map((place, index) => ({
    id: index + 1,
    ...toLocation(place, uriOf),
    message: { text: plain(place.message) },
  }));
  return {
    ruleId: code,
    ruleIndex: ruleCodes.indexOf(code),
    level: levels[severity],
    message: { text: plain(message) },
    locations: [{ ...location, logicalLocations: [{ fullyQualifiedName: `${finding.file}#${pointer}`, kind: 'value' }] }],
    ...(relatedLocations.length > 0 && { relatedLocations }),
    // The same fault keeps its identity when lines above it come and go.
    partialFingerprints: { 'rulePointer/v1': `${code}:${finding.file}#${pointer}` },
  };
}

type Place = Pick<Finding, 'file'> & Pick<RelatedPlace, 'line' | 'column'> & { readonly end_line?: number; readonly end_column?: number };

function toLocation({ file, line, column, end_line, end_column }: Place, uriOf: (file: string) => string) {
  const region = line === undefined ? undefined : { startLine: line, startColumn: column, endLine: end_line, endColumn: end_column };
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(uriOf(file)).replaceAll('?', '%3F').replaceAll('#', '%23'), uriBaseId: '%SRCROOT%' },
      ...(region && { region }),
    },
  };
}

/** A message is not Markdown, but `[text](target)` in it would become a link (SARIF 3.11.6). */
function plain(text: string): string {
  return text.replaceAll('](', '] (');
}
