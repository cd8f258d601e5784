import * as vscode from 'vscode';
import { done } from '../done.js';

/** Marks the walkthrough's step about findings once the last error we reported in an open file is fixed. */
export function fixedFinding(): vscode.Disposable {
  const faulty = new Set<string>();
  const watch = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) {
      const key = uri.toString();
      if (hasError(uri)) faulty.add(key);
      else if (faulty.delete(key) && vscode.workspace.textDocuments.some((document) => document.uri.toString() === key)) {
        done('fix');
        watch.dispose();
      }
    }
  });
  return watch;
}

function hasError(uri: vscode.Uri): boolean {
  const isOurs = ({ source, severity }: vscode.Diagnostic) => source === 'agentstack' && severity === vscode.DiagnosticSeverity.Error;
  return vscode.languages.getDiagnostics(uri).some(isOurs);
}
