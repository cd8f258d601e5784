import { pointerOf, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { fittingFix } from './fittingFix.js';
import type { Fix, FixContext } from './quickFix.js';

/** "Rename to ..." for each name that is free and may have the value; the first is preferred. */
export function renameFixes(context: FixContext, pointer: string, names: readonly string[]): readonly Fix[] {
  const fixes = names.flatMap((name) => {
    const to = (parentPointer(pointer) ?? '') + pointerOf(name);
    // Renaming to an existing key would lose one of the two values.
    if (valueAt(context.file.value, to) !== undefined) return [];
    const fix = fittingFix(context, {
      title: `Rename to ${JSON.stringify(name)}`,
      from: pointer,
      to,
      move: (edit) => edit.rename(pointer, name),
      moveAs: (edit, value) => edit.rename(pointer, name).replace(pointer, value),
    });
    return fix === undefined ? [] : [fix];
  });
  return fixes.map((fix, index) => (index === 0 ? { ...fix, preferred: true } : fix));
}
