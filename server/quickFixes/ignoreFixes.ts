import { parseJson } from '../../core/config/parseConfigFile.js';
import type { PlacedFinding } from '../../core/finding.js';
import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import type { Fix, FixContext } from './quickFix.js';
import { editFix } from './support.js';

/** `$ignore` entries that silence a finding: at its place, or in the whole file. None in a file that holds no JSON object. */
export function ignoreFixes({ code, pointer }: PlacedFinding, context: FixContext): readonly Fix[] {
  // `$ignore` itself is no part of the value that rules see.
  const whole = isObject(context.file.value) ? parseJson(context.document.text).value : undefined;
  if (!isObject(whole)) return [];
  const ignore: Json | undefined = Object.hasOwn(whole, '$ignore') ? whole.$ignore : undefined;
  if (ignore !== undefined && !isObject(ignore)) return [];
  const entry = `/$ignore${pointerOf(code)}`;
  const known = valueAt(ignore, pointerOf(code));
  const place = Object.hasOwn(whole, '$schema') ? { after: ['$schema'] } : { first: true };
  const inFile = editFix(context, `Ignore ${code} in this file`, (edit) => edit.set(entry, true, place));
  if (pointer === '' || pointer.startsWith('/$ignore')) return [inFile];
  const here = editFix(context, `Ignore ${code} here`, (edit) => {
    if (Array.isArray(known)) edit.insertItem(entry, pointer);
    else edit.set(entry, [pointer], place);
  });
  return [here, inFile];
}
