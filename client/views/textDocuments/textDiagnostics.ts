import * as vscode from 'vscode';
import type { DraftAnswer } from '../../../core/draftAnswer.js';
import type { MarkdownFault } from '../../../core/markdown/wholeFile.js';
import { debounce } from '../../debounce.js';
import type { LanguageServer } from '../../language/languageServer.js';
import { askOf, draftOf, faultOf, type TextPart, toRange, toShownStretch } from './textDraft.js';
import { textScheme, toTextPlace } from './textUri.js';
import { wordsOf } from './wholeFiles.js';

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

/** The findings of a text that is edited as Markdown, saved or not, at their places in it. */
export class TextDiagnostics implements vscode.Disposable {
  private readonly server: LanguageServer;
  private readonly collection = vscode.languages.createDiagnosticCollection('agentstack-texts');
  private readonly changes = debounce<vscode.TextDocument>(
    (documents) => Promise.all(documents.map((document) => this.look(document))),
    200,
  );
  private readonly listeners: readonly vscode.Disposable[];

  constructor(server: LanguageServer) {
    this.server = server;
    this.listeners = [
      vscode.workspace.onDidOpenTextDocument((document) => this.add(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.collection.delete(uri)),
      // A change of the JSON file, or of a file that it depends on, may change the findings of its texts.
      vscode.workspace.onDidChangeTextDocument(({ document }) =>
        document.uri.scheme === textScheme ? this.add(document) : this.addOf(document.uri),
      ),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.addOf(uri);
      }),
      server.onReady(() => this.addAll()),
    ];
    this.addAll();
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    this.changes.dispose();
    this.collection.dispose();
  }

  private add(document: vscode.TextDocument): void {
    if (document.uri.scheme === textScheme && !document.isClosed) this.changes.add(document);
  }

  private addAll(): void {
    for (const document of vscode.workspace.textDocuments) this.add(document);
  }

  /** The texts of a JSON file. */
  private addOf(file: vscode.Uri): void {
    if (file.scheme !== 'file') return;
    const key = file.toString();
    for (const document of vscode.workspace.textDocuments)
      if (document.uri.scheme === textScheme && toTextPlace(document.uri)?.file.toString() === key) this.add(document);
  }

  private async look(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const draft = await draftOf(document);
    const answer = draft && (await askOf(this.server, draft));
    const fault = draft === undefined ? await faultOf(document) : undefined;
    if (document.isClosed || document.version !== version) return;
    if (fault !== undefined) this.collection.set(document.uri, [diagnosticOf(fault, document)]);
    else if (draft === undefined || answer === undefined) this.collection.delete(document.uri);
    else
      this.collection.set(
        document.uri,
        draft.parts.flatMap((part) => diagnosticsIn(part, answer)),
      );
  }
}

function diagnosticsIn(part: TextPart, { findings }: DraftAnswer): readonly vscode.Diagnostic[] {
  return findings.flatMap((finding) => {
    const stretch = toShownStretch(part, finding);
    if (stretch === undefined) return [];
    const diagnostic = new vscode.Diagnostic(toRange(stretch, part), finding.message, severities[finding.severity]);
    diagnostic.source = 'agentstack';
    diagnostic.code = finding.page === undefined ? finding.code : { value: finding.code, target: vscode.Uri.parse(finding.page) };
    return [diagnostic];
  });
}

/** Why a document cannot be written back, on its line. */
function diagnosticOf(fault: MarkdownFault, document: vscode.TextDocument): vscode.Diagnostic {
  const { range } = document.lineAt(Math.min(fault.line, document.lineCount - 1));
  const diagnostic = new vscode.Diagnostic(range, wordsOf(fault), vscode.DiagnosticSeverity.Error);
  diagnostic.source = 'agentstack';
  return diagnostic;
}
