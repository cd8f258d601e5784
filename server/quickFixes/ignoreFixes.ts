import type { PlacedFinding } from '../../core/finding.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../core/json.js';
import { parseJson } from '../../core/jsonText/parseJson.js';
import { isEnforced } from '../../core/rules/enforced.js';
import type { Fix, FixContext } from './quickFix.js';
import { editFix } from './support.js';

/**
 * Adds `$ignore` entries that silence a finding: at its place, or in the whole file. None for a file that is not a JSON object. The file is
 * parsed once, for the first finding.
 */
export function ignoreFixer(context: FixContext): (finding: PlacedFinding) => readonly Fix[] {
  let read: { readonly whole: JsonObject | undefined } | undefined;
  return (finding) => {
    read ??= { whole: wholeValue(context) };
    return read.whole === undefined ? [] : ignoreFixes(finding, context, read.whole);
  };
}

/** The value including `$ignore`, which rules do not see. */
function wholeValue({ file, document }: FixContext): JsonObject | undefined {
  const whole = isObject(file.value) ? parseJson(document.text).value : undefined;
  return isObject(whole) ? whole : undefined;
}

function ignoreFixes({ code, severity, pointer, target }: PlacedFinding, context: FixContext, whole: JsonObject): readonly Fix[] {
  if (isEnforced({ code, severity }, context.file.identity.kind)) return [];
  // Findings in a list of rule codes cannot be silenced.
  const namesRule =
    pointer.startsWith('/$ignore') || (context.file.identity.kind === 'settings' && /^\/rules\/[^/]*$/.test(pointer) && target === 'key');
  if (code === 'schema' && namesRule) return [];
  const ignore: Json | undefined = Object.hasOwn(whole, '$ignore') ? whole.$ignore : undefined;
  if (ignore !== undefined && !isObject(ignore)) return [];
  const entry = `/$ignore${pointerOf(code)}`;
  const entryThere = valueAt(ignore, pointerOf(code));
  const place = Object.hasOwn(whole, '$schema') ? { after: ['$schema'] } : { first: true };
  const inFile = editFix(context, `Ignore ${code} in this file`, (edit) => edit.set(entry, true, place));
  if (pointer === '' || pointer.startsWith('/$ignore')) return [inFile];
  const here = editFix(context, `Ignore ${code} here`, (edit) => {
    if (Array.isArray(entryThere)) edit.insertItem(entry, pointer);
    else edit.set(entry, [pointer], place);
  });
  return [here, inFile];
}
