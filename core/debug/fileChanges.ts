import { type Json, valueAt } from '../json.js';
import { locate } from '../jsonText/locate.js';
import { isPromptText, jsonTextOf } from '../jsonText/promptText.js';
import { positionsIn } from '../jsonText/textPositions.js';
import { toTemplateText } from '../prompt/template.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { Origin } from '../snapshot/effective.js';
import { parseOrigins } from '../snapshot/snapshotOrigins.js';
import { shorten } from '../words.js';
import { isSame } from './answerPlaces.js';
import type { Site } from './usedPlaces.js';

/** A value that a breakpoint is set at, as its file had it then. */
export interface SetAt extends Site {
  readonly line: number;
  /** The text of the line. */
  readonly text: string;
  readonly value: Json | undefined;
}

/** The line at which the value of a breakpoint is in the file by now, or why there is none. @param text undefined: the file is gone */
export function lineNow({ file, pointer, line, text: lineText }: SetAt, text: string | undefined): number | { readonly reason: string } {
  if (text === undefined) return { reason: 'The file is gone. The run still stops here, as it began before.' };
  const lines = text.split(/\r\n|\r|\n/);
  if (lines[line - 1] === lineText && isPromptText(file)) return line;
  const { json, toFile } = jsonTextOf(file, text);
  const located = locate(json, [pointer]).get(pointer);
  const gone = { reason: 'This is no longer in the file. The run still stops here, as it began before.' };
  if (located === undefined) return gone;
  if (!isPromptText(file)) return positionsIn(text)((located.key ?? located.value).start).line;
  const same = lines.indexOf(lineText);
  if (lineText.trim() !== '') return same < 0 ? gone : same + 1;
  return positionsIn(text)(toFile(located.value.start + 1)).line;
}

const leavesOf = new WeakMap<Snapshot, ReadonlyMap<string, readonly (readonly [leaf: string, origin: Origin])[]>>();

/** How a frozen config differs from the value of a breakpoint in its file; undefined where it does not, or has nothing from that place. */
export function differenceFrom(snapshot: Snapshot, { file, pointer, value }: SetAt): string | undefined {
  for (const [leaf, origin] of leavesIn(snapshot).get(file) ?? []) {
    if (origin.pointer !== pointer && !origin.pointer.startsWith(`${pointer}/`)) continue;
    const frozen = valueAt(snapshot.value as unknown as Json, leaf);
    const written = valueAt(value, origin.pointer.slice(pointer.length));
    // What a variable stands for is not in the file.
    if (isSame(frozen, written) || (typeof written === 'string' && written.includes('${'))) continue;
    return `The run began with another value here: ${shorten(toTemplateText(frozen ?? null), 120)}`;
  }
  return undefined;
}

function leavesIn(snapshot: Snapshot): ReadonlyMap<string, readonly (readonly [string, Origin])[]> {
  const cached = leavesOf.get(snapshot);
  if (cached) return cached;
  const leaves = new Map<string, (readonly [string, Origin])[]>();
  for (const [leaf, origin] of parseOrigins(snapshot.origins_text)) {
    if (origin.file === null) continue;
    const list = leaves.get(origin.file) ?? [];
    leaves.set(origin.file, list);
    list.push([leaf, origin]);
  }
  leavesOf.set(snapshot, leaves);
  return leaves;
}
