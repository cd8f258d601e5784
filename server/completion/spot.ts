import type { ASTNode } from 'vscode-json-languageservice';
import type { FileIdentity } from '../../core/config/configFile.js';
import type { Json } from '../../core/json.js';
import type { Kind } from '../../core/kinds.js';
import type { Cursor } from '../cursor.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { isScalar, jsonOf, nodeAt, type Path, treeOf } from '../jsonTree.js';
import { optionsProvider } from '../names/optionsProvider.js';
import type { Project } from '../workspace.js';

/** The place of a completion, and lookups into the document around it. */
export interface Spot {
  readonly document: Document;
  readonly project: Project;
  readonly kind: Kind;
  readonly identity: FileIdentity;
  readonly cursor: Cursor;
  /** Of the cursor. */
  readonly path: Path;
  readonly text: string;
  readonly offset: number;
  readonly context: FeatureContext;
  /** The value at a path of the document; undefined where there is none. */
  valueAt(path: Path): Json | undefined;
  /** The provider that gets the `options` on the path of the cursor; undefined elsewhere, and where it is not known. */
  readonly optionsProvider: string | undefined;
  /** Scalars of the root object by key; undefined for a list, an object or a missing value. */
  rootMembers(): ReadonlyMap<string, Json | undefined>;
  /** The same for the object around the cursor, with the member at the cursor. */
  members(): ReadonlyMap<string, Json | undefined>;
}

export function createSpot(init: Omit<Spot, 'valueAt' | 'members' | 'rootMembers' | 'path' | 'text' | 'optionsProvider'>): Spot {
  const { document, cursor, identity, project } = init;
  const { root } = treeOf(document);
  const valueAt = (path: Path) => jsonOf(nodeAt(root, path));
  return {
    ...init,
    path: cursor.path,
    text: document.text,
    valueAt,
    optionsProvider: optionsProvider(identity, cursor.path, valueAt, project),
    rootMembers: () => scalarsOf(root),
    members: () => scalarsOf(cursor.container),
  };
}

function scalarsOf(node: ASTNode | undefined): ReadonlyMap<string, Json | undefined> {
  const members = node?.type === 'object' ? node.properties : [];
  return new Map(members.map(({ keyNode, valueNode: value }) => [keyNode.value, value && isScalar(value) ? jsonOf(value) : undefined]));
}
