import * as vscode from 'vscode';

export const toolScheme = 'agentstack-tool';

/** A tool of a server, in a project. */
export interface ToolReference {
  /** Absolute path of the project. */
  readonly root: string;
  readonly server: string;
  readonly tool: string;
}

/** A tool as a document: the pinned one, or the one its server listed last. */
export function toolUri({ root, server, tool }: ToolReference, side: 'pinned' | 'changed'): vscode.Uri {
  // The path is what a tab shows; the query names the tool.
  const path = `/${[server, tool, side].map((part) => part.replaceAll('/', '_')).join('/')}.json`;
  return vscode.Uri.from({ scheme: toolScheme, path, query: JSON.stringify([root, server, tool, side]) });
}

/** The tool that a document shows; undefined for other documents. */
export function toolOf({ scheme, query }: vscode.Uri): (ToolReference & { readonly side: 'pinned' | 'changed' }) | undefined {
  if (scheme !== toolScheme) return undefined;
  try {
    const parts: unknown = JSON.parse(query);
    if (!Array.isArray(parts) || parts.length !== 4 || !parts.every((part) => typeof part === 'string')) return undefined;
    const [root, server, tool, side] = parts as [string, string, string, string];
    return side === 'pinned' || side === 'changed' ? { root, server, tool, side } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
