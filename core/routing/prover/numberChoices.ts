import { isMultipleOf } from '../../jsonText/jsonCompare.js';
import type { NumberPart } from './domain.js';
import type { Question } from './question.js';

/** Every compared number, and one from each range between them. */
export function chooseNumbers(part: NumberPart, { atoms }: Question): readonly number[] {
  const boundaries = new Set([part.low, part.high]);
  for (const { cut } of atoms) {
    if (cut.bound !== undefined) boundaries.add(cut.bound);
    for (const { value } of cut.named ?? []) if (typeof value === 'number') boundaries.add(value);
  }
  const points = [...boundaries]
    .filter((point) => Number.isFinite(point) && part.low <= point && point <= part.high)
    .sort((left, right) => left - right);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [0].filter((point) => isIn(point, part));
  const chosen = points.filter((point) => isIn(point, part));
  for (const [index, point] of points.entries()) {
    const next = points[index + 1];
    const between = next === undefined ? undefined : numberBetween(point, next, part);
    if (between !== undefined) chosen.push(between);
  }
  if (!Number.isFinite(part.low)) chosen.push(beyond(first, -1, part));
  if (!Number.isFinite(part.high)) chosen.push(beyond(last, 1, part));
  return chosen.filter((number) => Number.isFinite(number));
}

function isIn(number: number, { low, high, withLow, withHigh, whole, step }: NumberPart): boolean {
  if (whole && !Number.isInteger(number)) return false;
  if (step !== undefined && !isMultipleOf(number, step)) return false;
  return (withLow ? number >= low : number > low) && (withHigh ? number <= high : number < high);
}

function numberBetween(low: number, high: number, { whole, step }: NumberPart): number | undefined {
  if (step !== undefined) {
    const multiple = multipleBeyond(low, 1, step);
    if (multiple !== undefined) return multiple < high ? multiple : undefined;
  }
  const middle = low / 2 + high / 2;
  const near = Math.floor(low) + 1;
  // The next whole number is the plainest to read; between neighbours there is none.
  if (low < near && near < high) return near;
  if (whole) return undefined;
  return low < middle && middle < high ? middle : undefined;
}

/** A number past `from`: one further if numbers are dense, otherwise as far as they go. */
function beyond(from: number, direction: 1 | -1, { whole, step }: NumberPart): number {
  const multiple = step === undefined ? undefined : multipleBeyond(from, direction, step);
  if (multiple !== undefined) return multiple;
  const near = direction === 1 ? Math.floor(from) + 1 : Math.ceil(from) - 1;
  if (near !== from) return near;
  const far = from + direction * Math.abs(from);
  return whole || Number.isFinite(far) ? far : direction * Number.MAX_VALUE;
}

/** The next multiple of a step, decided on decimal digits; undefined where it cannot be told. */
function multipleBeyond(from: number, direction: 1 | -1, step: number): number | undefined {
  const count = Math.floor(from / step);
  // A quotient of binary fractions may be off by one.
  for (const near of [-1, 0, 1, 2]) {
    const multiple = Number(((count + near * direction) * step).toPrecision(15));
    if ((multiple - from) * direction > 0) return isMultipleOf(multiple, step) ? multiple : undefined;
  }
  return undefined;
}
