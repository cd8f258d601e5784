import type { EvalReport } from '../../generated/types.js';
import { locate } from '../../jsonText/locate.js';
import { positionsIn } from '../../jsonText/textPositions.js';
import type { MaybePromise } from '../../ports.js';

/** The line of a reason in its payload file, from 1; 1 if the file no longer exists. */
export type LineOf = (file: string, pointer: string) => number;

/** Reads a file by its project path; undefined if it does not exist. */
interface TextSource {
  textOf(file: string): MaybePromise<string | undefined>;
}

/** Reads the files of the cases that have reasons. */
export async function readLines(report: EvalReport, { textOf }: TextSource): Promise<LineOf> {
  const pointers = new Map<string, Set<string>>();
  for (const { file, reasons } of report.suites.flatMap(({ cases }) => cases)) {
    if (reasons.length === 0) continue;
    const pointersOfFile = pointers.get(file) ?? new Set();
    pointers.set(file, pointersOfFile);
    for (const { pointer } of reasons) pointersOfFile.add(pointer);
  }
  const places = new Map<string, (pointer: string) => number>();
  for (const [file, wanted] of pointers) {
    const text = await textOf(file);
    if (text === undefined) continue;
    const located = locate(text, wanted);
    const positionOf = positionsIn(text);
    places.set(file, (pointer) => {
      const place = located.get(pointer);
      return place === undefined ? 1 : positionOf(place.value.start).line;
    });
  }
  return (file, pointer) => places.get(file)?.(pointer) ?? 1;
}
