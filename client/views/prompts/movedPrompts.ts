import * as vscode from 'vscode';

export const movedScheme = 'agentstack-moved';

/** The template of a prompt file as a document: unchanged, or with the changing parts last. */
export function movedUri(file: vscode.Uri, side: 'written' | 'moved'): vscode.Uri {
  return vscode.Uri.from({
    scheme: movedScheme,
    path: `${file.path.replace(/\.(?:json|md)$/, '')}.${side}.md`,
    query: JSON.stringify([file.toString(), side]),
  });
}

/** The documents of `movedUri`, made from the editor or the disk when they are opened. Only files of this workspace are read. */
export function movedPrompts(): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(movedScheme, {
      onDidChange: changed.event,
      async provideTextDocumentContent({ query }) {
        const [file, side] = partsOf(query);
        if (file === undefined || vscode.workspace.getWorkspaceFolder(file) === undefined) return '';
        const { readTemplate } = await import('./readTemplate.js');
        const template = await readTemplate(file);
        return (side === 'moved' ? template?.moved : undefined) ?? template?.written ?? '';
      },
    }),
    vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
      for (const { uri: shown } of vscode.workspace.textDocuments)
        if (shown.scheme === movedScheme && partsOf(shown.query)[0]?.toString() === uri.toString()) changed.fire(shown);
    }),
  );
}

function partsOf(query: string): readonly [file: vscode.Uri | undefined, side: unknown] {
  try {
    const parts: unknown = JSON.parse(query);
    return Array.isArray(parts) && typeof parts[0] === 'string' ? [vscode.Uri.parse(parts[0], true), parts[1]] : [undefined, undefined];
  } catch {
    // A link that someone else made names nothing.
    return [undefined, undefined];
  }
}
