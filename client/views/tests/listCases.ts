import * as vscode from 'vscode';
import { type ScannedCase, scanCases } from '../../../core/eval/scanCases.js';
import type { TextRange } from '../../../core/finding.js';
import { locate } from '../../../core/jsonText/locate.js';
import { lineIndexAt } from '../../../core/jsonText/textPositions.js';
import type { Pace } from './pacer.js';

export interface ListedCase {
  readonly name: string;
  readonly pointer: string;
  readonly tags: readonly string[];
  readonly range: vscode.Range;
  /** Place among the cases of its file. */
  readonly order: number;
  /** The nearest key `expect`: of the case, else of its file. */
  readonly lens: vscode.Range | undefined;
  rangeOf(pointer: string): vscode.Range | undefined;
}

export interface ListedFile {
  readonly isWhole: boolean;
  readonly isSet: boolean;
  /** Those that expect something. */
  readonly cases: readonly ListedCase[];
}

/**
 * The tests in the text of a payload file, with their places, found in slices.
 *
 * @param file the file's name without its ending
 * @returns undefined when it was stopped
 */
export async function listCases(file: string, text: string, pace: Pace, isStopped = () => false): Promise<ListedFile | undefined> {
  if (!text.includes('"expect"')) return { isWhole: true, isSet: false, cases: [] };
  const steps = scanCases(file, text);
  let step = steps.next();
  for (; !step.done; step = steps.next()) {
    await pace();
    if (isStopped()) return undefined;
  }
  const { isWhole, isSet, cases, entries: shared, expect } = step.value;
  const lines = await findLines(text, pace);
  const positionOf = (offset: number): vscode.Position => {
    const line = lineIndexAt(lines, offset);
    return new vscode.Position(line, offset - (lines[line] ?? 0));
  };
  const toRange = ({ start, end }: TextRange): vscode.Range => new vscode.Range(positionOf(start), positionOf(end));
  const listed: ListedCase[] = [];
  for (const [order, listedCase] of cases.entries()) {
    if (!listedCase.isTest) continue;
    if (order % 50 === 0) await pace();
    const lens = listedCase.expect ?? expect;
    listed.push({
      name: listedCase.name,
      pointer: listedCase.pointer,
      tags: listedCase.tags,
      range: toRange(listedCase.range),
      order,
      lens: lens && toRange(lens),
      rangeOf(pointer) {
        const place = pointer.startsWith(`${listedCase.pointer}/turns/`)
          ? placeInTurn(text, listedCase, pointer)
          : placeOf(listedCase, shared, pointer);
        return place && toRange(place);
      },
    });
  }
  return { isWhole, isSet, cases: listed };
}

/** Where each line begins, as `lineStarts` has it, in slices. */
async function findLines(text: string, pace: Pace): Promise<readonly number[]> {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    starts.push(index + end.length);
    if (starts.length % 1_000 === 0) await pace();
  }
  return starts;
}

/** Found in the case alone: a data set may be long. */
function placeInTurn(text: string, { pointer, range }: ScannedCase, wanted: string): TextRange | undefined {
  const [at, own] = pointer === '' ? [0, text] : [range.start, text.slice(range.start, range.end)];
  const below = wanted.slice(pointer.length);
  const value = locate(own, new Set([below])).get(below)?.value;
  return value && { start: at + value.start, end: at + value.end };
}

function placeOf(scannedCase: ScannedCase, shared: readonly TextRange[], pointer: string): TextRange | undefined {
  if (pointer === scannedCase.pointer) return scannedCase.range;
  const expectPointer = `${scannedCase.pointer}/expect/`;
  if (pointer.startsWith(expectPointer)) return scannedCase.entries[Number(pointer.slice(expectPointer.length))];
  return pointer.startsWith('/expect/') ? shared[Number(pointer.slice('/expect/'.length))] : undefined;
}
