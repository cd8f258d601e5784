import type { TextDocumentIdentifier } from 'vscode-languageserver';
import type { TextRange } from '../../core/finding.js';
import { toolFileAt } from '../../core/inventory/findToolFiles.js';
import { isRead, type NamedPlace } from '../../core/inventory/toolNames.js';
import type { Inventory, ToolFile } from '../../core/otherTools/toolFiles.js';
import { namesIn } from '../../core/otherTools/toolNames.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import type { Project } from '../workspace.js';

/** A file of another tool, with the files around it. */
export interface ToolDocument {
  readonly document: Document;
  readonly project: Project;
  readonly file: ToolFile;
  readonly inventory: Inventory;
}

/** Undefined for every other file, and where those of other tools are not wanted. */
export async function toolDocument(
  { uri }: TextDocumentIdentifier,
  { workspace, signal }: Pick<FeatureContext, 'workspace' | 'signal'>,
): Promise<ToolDocument | undefined> {
  const document = workspace.document(uri);
  const project = workspace.projectOf(uri);
  if (document?.path === undefined || project === undefined || toolFileAt(document.path) === undefined) return undefined;
  const inventory = await project.toolFiles.current();
  signal.throwIfAborted();
  const file = inventory.files.find(({ path }) => path === document.path);
  return file && { document, project, file, inventory };
}

/** The name at an offset. */
export function nameAt({ file }: ToolDocument, offset: number): NamedPlace | undefined {
  if (!isRead(file)) return undefined;
  return namesIn(file)
    .map((name): NamedPlace => ({ file, name }))
    .find((place) => {
      const { start, end } = rangeOf(place);
      return start <= offset && offset <= end && start < end;
    });
}

/** Where a name is written; the start of the file for an agent that is called like its file. */
export function rangeOf({ file: { source }, name: { name, pointer, target, text, start } }: NamedPlace): TextRange {
  if (pointer === '') return { start: 0, end: 0 };
  const range = source.rangeOf(pointer, target);
  const written = source.text.slice(range.start, range.end);
  // Escapes or folded lines may spell the text in another way.
  const whole = written.lastIndexOf(text);
  const at = whole < 0 ? written.lastIndexOf(name) : whole + start;
  return at < 0 ? range : { start: range.start + at, end: range.start + at + name.length };
}
