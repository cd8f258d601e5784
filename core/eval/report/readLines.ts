import { JsonTree } from '../../jsonText/jsonTree.js';
import { positionsIn } from '../../jsonText/textPositions.js';
import type { MaybePromise } from '../../ports.js';
import type { CaseReport, EvalReport } from './evalReport.js';

/** The line of a place in a payload file, from 1; 1 where the file is not there any more. */
export type LineOf = (file: string, pointer: string) => number;

/** What reads a file by its project path; undefined where it is not there. */
interface TextSource {
  textOf(file: string): MaybePromise<string | undefined>;
}

/** Reads the files of the cases that did not pass. */
export async function readLines(report: EvalReport, { textOf }: TextSource): Promise<LineOf> {
  const files = new Set(notPassed(report).map(({ file }) => file));
  const places = new Map<string, (pointer: string) => number>();
  for (const file of files) {
    const text = await textOf(file);
    if (text === undefined) continue;
    const tree = new JsonTree(text);
    const positionOf = positionsIn(text);
    places.set(file, (pointer) => {
      const found = tree.locate(pointer);
      return found === undefined ? 1 : positionOf(found.value.start).line;
    });
  }
  return (file, pointer) => places.get(file)?.(pointer) ?? 1;
}

function notPassed({ suites }: EvalReport): readonly CaseReport[] {
  return suites.flatMap(({ cases }) => cases.filter(({ outcome }) => outcome !== 'passed'));
}
