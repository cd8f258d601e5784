import type * as vscode from 'vscode';
import type { FileIdentity } from '../../../core/config/configFile.js';
import { segmentsOf } from '../../../core/json.js';

/** Documents that are a string of a JSON file. */
export const textScheme = 'agent-stack-text';

/** Which string of which file a document is. The pointer of the root means the whole file. */
export interface TextPlace {
  readonly file: vscode.Uri;
  readonly pointer: string;
}

const ending = '.md';
/** Stands for the pointer of the root, since an address without a query is a folder's. */
const wholeFile = 'whole';
const longestName = 120;

/**
 * `.../A2/v1.json/A2 v1 · system_text.md`, with the pointer as its query: everything that is needed to find the text again after a
 * restart is in the address itself.
 */
export function toTextUri({ file, pointer }: TextPlace, identity: FileIdentity | undefined): vscode.Uri {
  const owner = nameOf(file, identity);
  const title = pointer === '' ? owner : `${owner} · ${segmentsOf(pointer).join('.')}`;
  const name = title.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_').slice(0, longestName);
  return file.with({ scheme: textScheme, path: `${file.path}/${name}${ending}`, query: pointer === '' ? wholeFile : pointer });
}

/** Undefined for an address that is not text's: the folders above one. */
export function toTextPlace(uri: vscode.Uri): TextPlace | undefined {
  const at = uri.path.lastIndexOf('/');
  if (!uri.path.endsWith(ending) || uri.query === '' || at <= 0) return undefined;
  return { file: uri.with({ scheme: 'file', path: uri.path.slice(0, at), query: '' }), pointer: uri.query === wholeFile ? '' : uri.query };
}

function nameOf(file: vscode.Uri, identity: FileIdentity | undefined): string {
  const fallback = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.json$/, '');
  if (identity === undefined) return fallback;
  return identity.version === undefined ? identity.name : `${identity.name} ${identity.version}`;
}
