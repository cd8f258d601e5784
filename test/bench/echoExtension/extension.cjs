// The least a preview can be: a webview that shows the line that was typed into, as it is.
const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.commands.registerCommand('agentStackEcho.open', () => {
      const panel = vscode.window.createWebviewPanel(
        'agentStackEcho',
        'Echo',
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: true },
      );
      panel.webview.html = `<!DOCTYPE html><html><head><title>Echo</title></head><body><p>nothing yet</p><script>
        addEventListener('message', ({ data }) => { document.querySelector('p').textContent = data; });
      </script></body></html>`;
      subscriptions.push(
        vscode.workspace.onDidChangeTextDocument(({ document, contentChanges: [change] }) => {
          if (panel.visible && change) panel.webview.postMessage(document.lineAt(change.range.start.line).text);
        }),
      );
    }),
  );
};
