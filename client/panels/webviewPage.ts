import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeMarkup } from '../../core/escape.js';

/**
 * Shows a page in a panel, under the panel's title. Nothing can be loaded but the scripts and styles of our pages.
 *
 * @param name of its files in dist/webviews: `preview` has preview.js and preview.css
 */
export function showPage({ extensionUri }: vscode.ExtensionContext, panel: vscode.WebviewPanel, name: string): void {
  const media = (name: string) => vscode.Uri.joinPath(extensionUri, 'client', 'media', name);
  const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webviews');
  panel.iconPath = { light: media('file-light.svg'), dark: media('file-dark.svg') };
  panel.webview.options = { enableScripts: true, localResourceRoots: [root] };
  panel.webview.html = createPage(root, panel, name);
}

/**
 * The HTML of a page: one style sheet, one script, no content of its own. Its policy lets nothing else run or load: no inline script, no
 * inline style, no image from elsewhere, no connection.
 */
function createPage(root: vscode.Uri, { title, webview }: vscode.WebviewPanel, name: string): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (ending: string) => webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.${ending}`)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'; font-src ${webview.cspSource};`;
  return `<!DOCTYPE html>
<html lang="${escapeMarkup(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<link rel="stylesheet" href="${escapeMarkup(file('css'))}">
</head>
<body data-translations="${escapeMarkup(JSON.stringify(vscode.l10n.bundle ?? {}))}">
<script type="module" nonce="${nonce}" src="${escapeMarkup(file('js'))}"></script>
</body>
</html>`;
}
