import type { PlacedFinding } from '../../core/finding.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { textIn, textsIn } from './support.js';

/** Replaces an unknown tool with a similar one, or removes it. */
export const unknownTool: QuickFix = {
  code: 'unknown-tool',
  fixes: (finding, context) => entryFixes(finding, context),
};

const entry = /\/(?:enabled_tools|exclude_components)\/\d+$|\/skill$/;

/** "Change to ..." and "Remove" for a name in a list, in the file itself or in the persona that names it. */
export function entryFixes(finding: PlacedFinding, { project, file }: FixContext): readonly Fix[] {
  const name = textIn(finding, 'name');
  const own = { path: file.path, pointer: finding.pointer };
  const other = finding.related?.find((place) => place.file !== file.path && entry.test(place.pointer));
  const place = entry.test(finding.pointer) ? own : other && { path: other.file, pointer: other.pointer };
  if (name === undefined || place === undefined) return [];
  const { path, pointer } = place;
  const where = path === file.path ? '' : ` in ${path}`;
  const nearest = textsIn(finding, 'nearest');
  const changes = nearest.map((value): Fix => {
    const isPreferred = nearest.length === 1 && where === '';
    const title = `Change to ${JSON.stringify(value)}${where}`;
    return {
      title,
      ...(isPreferred && { preferred: true }),
      changes: () => editJson(project, path, (edit) => edit.replace(pointer, value)),
    };
  });
  // A step without its skill would be none.
  if (pointer.endsWith('/skill')) return changes;
  return [
    ...changes,
    { title: `Remove ${JSON.stringify(name)}${where}`, changes: () => editJson(project, path, (edit) => edit.remove(pointer)) },
  ];
}
