import type { DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport } from 'vscode-languageserver';
import { asksForDiagnostics } from '../capabilities.js';
import type { DiagnosticReport } from '../diagnosis.js';
import type { Feature, FeatureContext } from '../feature.js';

/** The diagnostics of one document, for clients that pull them; the others are sent them (`publisher.ts`). */
export const documentDiagnostics: Feature<DocumentDiagnosticParams, DocumentDiagnosticReport> = {
  method: 'textDocument/diagnostic',
  needs: ['textDocument'],
  capability: (client) =>
    !asksForDiagnostics(client)
      ? {}
      : { diagnosticProvider: { identifier: 'agentstack', interFileDependencies: true, workspaceDiagnostics: true } },
  async handle({ textDocument: { uri }, previousResultId }, context) {
    const { diagnosis, client } = context;
    const reporting = diagnosis.reportOf(uri);
    // At once: what changes while the report is computed may be missing in it, so the client has to ask again.
    diagnosis.reported.set(
      uri,
      reporting.then(({ id }) => id).catch(() => undefined),
    );
    const report = await reporting;
    const takesRelated = client.textDocument?.diagnostic?.relatedDocumentSupport === true;
    const relatedDocuments = takesRelated ? await findRelated(uri, context) : undefined;
    const related = relatedDocuments !== undefined && { relatedDocuments };
    if (previousResultId === report.id) return { kind: 'unchanged', resultId: report.id, ...related };
    return { ...toFull(report), ...related };
  },
};

/** Other open documents of the project whose diagnostics have changed since they were last sent. */
async function findRelated(
  uri: string,
  { workspace, diagnosis, client }: FeatureContext,
): Promise<Readonly<Record<string, FullDocumentDiagnosticReport>> | undefined> {
  const project = workspace.projectOf(uri);
  const related: Record<string, FullDocumentDiagnosticReport> = {};
  for (const openDocument of workspace.openDocuments) {
    const reportedId = await diagnosis.reported.get(openDocument.uri);
    if (openDocument.uri === uri || reportedId === undefined || workspace.projectOf(openDocument.uri) !== project) continue;
    const report = await diagnosis.reportOf(openDocument.uri);
    if (report.id === reportedId) continue;
    related[openDocument.uri] = toFull(report);
    // Clients that support it also get a refresh request: some of them do not show related documents.
    if (client.workspace?.diagnostics?.refreshSupport !== true) diagnosis.reported.set(openDocument.uri, Promise.resolve(report.id));
  }
  return Object.keys(related).length > 0 ? related : undefined;
}

function toFull({ id, items }: DiagnosticReport): FullDocumentDiagnosticReport {
  return { kind: 'full', resultId: id, items: [...items] };
}
