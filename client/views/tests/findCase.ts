import * as vscode from 'vscode';
import type { WithTests } from './tests.js';
import type { CaseItem } from './types.js';

/** A case of the Test Explorer by its file and its name in evals; undefined if it does not exist. */
export async function findCase({ tests }: WithTests, uri: unknown, name: unknown): Promise<CaseItem | undefined> {
  const tree = await tests.loadTree?.();
  if (tree === undefined || !(uri instanceof vscode.Uri)) return undefined;
  await tree.see(uri);
  return tree
    .cases(undefined)
    .find(({ item, place }) => item.uri?.toString() === uri.toString() && (name === undefined || place.name === name));
}
