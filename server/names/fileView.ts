import type { ConfigFile } from '../../core/config/configFile.js';
import { pathOf } from '../../core/config/paths.js';
import type { TextRange } from '../../core/finding.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { rawOffsets } from '../../core/jsonText/decodedString.js';
import { type Located, locate } from '../../core/jsonText/locate.js';
import type { Document } from '../document.js';
import { type JsonTree, jsonOf, knownTree, locateIn, treeOf } from '../jsonTree.js';
import type { Project } from '../workspace.js';

/** A config file as far as it can be read. In invalid JSON the value is that of the tolerant tree. */
export interface FileView {
  readonly document: Document;
  readonly project: Project;
  /** With `value` as its value, even for invalid JSON. */
  readonly file: ConfigFile;
  readonly value: JsonObject;
  /** The ranges of values, by pointer; pointers to nothing are absent. */
  readonly locate: (pointers: Iterable<string>) => ReadonlyMap<string, Located>;
}

/** Undefined for a file that is not a config, is too large, or holds no object. */
export function viewOf(document: Document, project: Project): FileView | undefined {
  const { config } = document;
  if (config === undefined || config.foreign) return undefined;
  if (config.value !== undefined) {
    return isObject(config.value)
      ? { document, project, file: config, value: config.value, locate: (pointers) => locateFast(document, pointers) }
      : undefined;
  }
  const tree = treeOf(document);
  const value = readable(tree);
  if (!isObject(value)) return undefined;
  return { document, project, file: { ...config, value }, value, locate: (pointers) => locateIn(tree, pointers) };
}

/** Parses the text again only if no tree of it exists. */
function locateFast(document: Document, pointers: Iterable<string>): ReadonlyMap<string, Located> {
  const tree = knownTree(document);
  return tree === undefined ? locate(document.text, pointers) : locateIn(tree, pointers);
}

const values = new WeakMap<JsonTree, Json | undefined>();

/** The value of a tree, the same object each time. */
function readable(tree: JsonTree): Json | undefined {
  if (!values.has(tree)) values.set(tree, jsonOf(tree.root));
  return values.get(tree);
}

/** Converts ranges of the decoded text of a quoted string (closed or not) to ranges in the file. */
export function rawStretches(text: string, quoted: TextRange, wanted: readonly TextRange[]): readonly TextRange[] {
  const rawOffset = rawOffsets(text, quoted);
  return wanted.map(({ start, end }) => ({ start: rawOffset(start), end: rawOffset(end) }));
}

/** Project path of the file that a name refers to, whether or not it exists. */
export function pathFor(kind: 'agent' | 'llm' | 'persona' | 'prompt' | 'mcp', id: string, project: Project): string {
  return project.index.ids(kind).get(id) ?? pathOf(kind, id, project.settings);
}
