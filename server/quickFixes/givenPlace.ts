import type { PlacedFinding } from '../../core/finding.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, FixContext } from './quickFix.js';
import { lastOf } from './support.js';

/** The place of the value that a finding is about: in the file itself, or in a lower layer that a related place names. */
export interface GivenPlace {
  readonly path: string;
  readonly pointer: string;
  readonly isOwn: boolean;
}

export function givenPlace({ pointer, related = [] }: PlacedFinding, { file }: FixContext, field: string): GivenPlace | undefined {
  if (lastOf(pointer) === field) return { path: file.path, pointer, isOwn: true };
  const place = related.find((other) => other.file !== file.path && lastOf(other.pointer) === field);
  return place === undefined ? undefined : { path: place.file, pointer: place.pointer, isOwn: false };
}

/** A fix at such a place. In another file it is not preferred, since other agents use that file, and the title names the file. */
export function fixAt(
  { project }: FixContext,
  { path, pointer, isOwn }: GivenPlace,
  title: string,
  change: (edit: JsonEdit, pointer: string) => void,
): Fix {
  return {
    title: isOwn ? title : `${title} in ${path}`,
    ...(isOwn && { preferred: true }),
    changes: () => editJson(project, path, (edit) => change(edit, pointer)),
  };
}
