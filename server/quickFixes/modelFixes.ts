import type { PlacedFinding } from '../../core/finding.js';
import { fixAt, givenPlace } from './givenPlace.js';
import type { Fix, FixContext } from './quickFix.js';
import { textsIn } from './support.js';

/** Another model for the one a finding is about, for each that looks alike. */
export function modelFixes(finding: PlacedFinding, context: FixContext): readonly Fix[] {
  const place = givenPlace(finding, context, 'model_name');
  if (place === undefined) return [];
  const nearest = textsIn(finding, 'nearest');
  return nearest.map((name) => {
    const { preferred, ...fix } = fixAt(context, place, `Change to ${JSON.stringify(name)}`, (edit, pointer) =>
      edit.replace(pointer, name),
    );
    return nearest.length === 1 && preferred === true ? { ...fix, preferred } : fix;
  });
}
