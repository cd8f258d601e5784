import * as vscode from 'vscode';
import type { GraphModel } from '../../../core/routing/graph/graphModel.js';
import type { GraphFile } from './graphFile.js';

/** Saves the graph as a picture or as text, or copies it. What was chosen is drawn as `agent-stack graph` draws it. */
export async function exportGraph(
  { folder, name }: GraphFile,
  model: GraphModel,
  to: 'saveSvg' | 'saveMermaid' | 'copyMermaid',
): Promise<void> {
  const text =
    to === 'saveSvg' ? await toSvg(model, name) : (await import('../../../core/routing/graph/graphMermaid.js')).graphMermaid(model);
  if (to === 'copyMermaid') {
    await vscode.env.clipboard.writeText(text);
    return;
  }
  const ending = to === 'saveSvg' ? 'svg' : 'mmd';
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder.uri, `${name}.${ending}`),
    filters: to === 'saveSvg' ? { SVG: ['svg'] } : { Mermaid: ['mmd', 'mermaid', 'md'] },
  });
  if (target === undefined) return;
  const isMarkdown = target.path.endsWith('.md');
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(isMarkdown ? `\`\`\`mermaid\n${text}\`\`\`\n` : text));
  const show = vscode.l10n.t('Open');
  const saved = vscode.l10n.t('The graph is in {0}.', vscode.workspace.asRelativePath(target));
  if ((await vscode.window.showInformationMessage(saved, show)) === show) await vscode.commands.executeCommand('vscode.open', target);
}

async function toSvg(model: GraphModel, name: string): Promise<string> {
  const [{ layOutGraph }, { graphSvg }] = await Promise.all([
    import('../../../core/routing/graph/graphLayout.js'),
    import('../../../core/routing/graph/graphSvg.js'),
  ]);
  return graphSvg(layOutGraph(model), name);
}
