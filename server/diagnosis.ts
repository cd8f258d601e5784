import { type Diagnostic, type DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { AnyFinding, RelatedPlace } from '../core/finding.js';
import type { ServiceHost } from './host.js';
import { promptFaults } from './promptFaults.js';
import type { Project, Workspace } from './workspace.js';

/** The findings of one file as LSP diagnostics. */
export interface DiagnosticReport {
  /** Equal for equal diagnostics, in every session. */
  readonly id: string;
  readonly items: readonly Diagnostic[];
}

/** Diagnostics of files, made once from the project's findings. */
export interface Diagnosis {
  /**
   * The id of the report last sent to the client, or about to be sent, by URI of an open document. Undefined where computing it failed; none for
   * a document that the client has changed since, about which it asks by itself.
   */
  readonly reported: Map<string, Promise<string | undefined>>;
  reportOf(uri: string): Promise<DiagnosticReport>;
  reportAt(project: Project, path: string): Promise<DiagnosticReport>;
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const;

const clean: DiagnosticReport = { id: 'clean', items: [] };

export function createDiagnosis(workspace: Workspace, host: Pick<ServiceHost, 'rulePage' | 'sha256'>): Diagnosis {
  const reports = new WeakMap<readonly AnyFinding[], DiagnosticReport>();
  const report = (findings: readonly AnyFinding[], project: Project) => {
    if (findings.length === 0) return clean;
    let cached = reports.get(findings);
    if (cached === undefined) {
      const items = findings.map((finding) => toDiagnostic(finding, project, host));
      cached = { id: host.sha256(JSON.stringify(items)), items };
      reports.set(findings, cached);
    }
    return cached;
  };
  const reportAt = async (project: Project, path: string) => {
    const ownFindings = await project.findings(path);
    const others = await promptFaults(project, path);
    const ofTools = await project.toolFiles.findingsAt(path);
    // After the file's own findings, for which fixes are offered.
    return report(others.length + ofTools.length === 0 ? ownFindings : [...ownFindings, ...others, ...ofTools], project);
  };
  return {
    reported: new Map(),
    reportAt,
    async reportOf(uri) {
      const project = workspace.projectOf(uri);
      const path = workspace.document(uri)?.path;
      return project === undefined || path === undefined ? clean : reportAt(project, path);
    },
  };
}

function toDiagnostic(finding: AnyFinding, project: Project, { rulePage }: Pick<ServiceHost, 'rulePage'>): Diagnostic {
  const { code, severity, message, line, column, end_line, end_column, pointer, target, within, related = [], data } = finding;
  const href = rulePage(code);
  const tags = tagsOf(code);
  return {
    range: { start: { line: line - 1, character: column - 1 }, end: { line: end_line - 1, character: end_column - 1 } },
    severity: severities[severity],
    code,
    ...(href !== undefined && { codeDescription: { href } }),
    source: 'agentstack',
    message,
    ...(tags !== undefined && { tags }),
    ...(related.length > 0 && { relatedInformation: related.map((place) => toRelated(place, project)) }),
    data: { ...data, pointer, ...(target !== undefined && { target }), ...(within !== undefined && { within }) },
  };
}

/** Unused files are shown faded, deprecated values struck through. */
function tagsOf(code: string): Diagnostic['tags'] {
  if (code.startsWith('unused-')) return [DiagnosticTag.Unnecessary];
  return code.startsWith('deprecated-') ? [DiagnosticTag.Deprecated] : undefined;
}

/** In a file that cannot be read, a related place is the start. */
function toRelated({ file, line = 1, column = 1, range, message }: RelatedPlace, project: Project): DiagnosticRelatedInformation {
  const start = { line: line - 1, character: column - 1 };
  const document = range === undefined ? undefined : project.documentAt(file);
  const end = document === undefined || range === undefined ? start : document.textDocument.positionAt(range.end);
  return { location: { uri: project.uriOf(file), range: { start, end } }, message };
}
