import type { FileIdentity } from '../../core/config/configFile.js';
import type { Json } from '../../core/json.js';
import type { Kind } from '../../core/kinds.js';
import type { Cursor } from '../cursor.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { readLoosely, readMembers } from '../looseJson.js';
import type { Path } from '../schemaDocs.js';
import type { Project } from '../workspace.js';

/** Where something is to be completed, and what can be asked about it. What costs something is found out when first asked for. */
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
  /** The value at a path of this file as it is being typed; undefined where nothing is there. */
  valueAt(path: Path): Json | undefined;
  /** Scalars of the root object by key; undefined for a list, an object, or nothing yet. */
  rootMembers(): ReadonlyMap<string, Json | undefined>;
  /** Scalars of the object around the cursor by key; undefined for a list, an object, or nothing yet. The member at the cursor is in it. */
  members(): ReadonlyMap<string, Json | undefined>;
}

export function createSpot(given: Omit<Spot, 'valueAt' | 'members' | 'rootMembers' | 'path' | 'text'>): Spot {
  const { text } = given.document;
  const { path, container } = given.cursor;
  const values = new Map<string, Json | undefined>();
  let members: ReadonlyMap<string, Json | undefined> | undefined;
  let rootMembers: ReadonlyMap<string, Json | undefined> | undefined;
  return {
    ...given,
    path,
    text,
    valueAt(at) {
      const key = JSON.stringify(at);
      if (!values.has(key)) values.set(key, readLoosely(text, at));
      return values.get(key);
    },
    rootMembers() {
      rootMembers ??= readMembers(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
      return rootMembers;
    },
    members() {
      if (path.length === 1) return this.rootMembers();
      members ??= container === undefined ? new Map() : readMembers(text, container);
      return members;
    },
  };
}
