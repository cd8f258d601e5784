import type { Issue } from '../errors.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { findInexactNumbers } from '../jsonText/exactNumbers.js';
import { countKeys, maxDepth, shapeOf } from '../jsonText/jsonShape.js';
import { answerStart } from '../llm/thoughtTags.js';
import { type Reading, readTolerantly } from './readTolerantly.js';
import { createRepairLog, type RepairLog } from './repairLog.js';

/** An object of an answer, or the attempt at one. */
export interface FoundObject {
  /** Undefined if it could not be read completely: `issues` says why. */
  readonly value: JsonObject | undefined;
  readonly start: number;
  readonly end: number;
  readonly repairs: RepairLog;
  /** Duplicate keys and the fault that ended the reading. */
  readonly issues: readonly Issue[];
}

export interface FoundObjects {
  readonly objects: readonly FoundObject[];
  /** Whether the answer has a list of objects. */
  readonly hasArray: boolean;
}

/** Upper limit of objects examined in one answer; real answers have far fewer. */
const objectLimit = 100;
/** Units read without result, as a multiple of the length, before the search stops backtracking. */
const vainFactor = 4;

/** Numbers that could be beyond what JavaScript holds: many digits, or an exponent of three. */
/** A list, or a brace followed by something that belongs to an object. */
const opening = /\[|\{(?=\s*["'}A-Za-z_$/,])/g;
const fenceAtLineStart = /\n[ \t]*(?:```|~~~)/g;

/**
 * The JSON objects of an answer, in order, bare or in fences or prose; never one nested in another or in a list. An object that
 * breaks off includes everything opened in it, so a part of it is never taken for the answer. Linear in the length.
 * @param cut the model says that its answer was cut off
 */
export function findObjects(text: string, cut = false): FoundObjects {
  const whole = readWhole(text);
  if (whole) return { objects: [whole], hasArray: false };

  const objects: FoundObject[] = [];
  const lastCommentEnd = text.lastIndexOf('*/');
  const findFence = createFenceFinder(text);
  let hasArray = false;
  let vain = 0;
  let from = answerStart(text);
  while (objects.length < objectLimit) {
    opening.lastIndex = from;
    const start = opening.exec(text)?.index;
    if (start === undefined) break;
    const reading = readTolerantly(text, start, { cut, lastCommentEnd });
    const isList = text[start] === '[';
    if (reading.value === undefined && !reading.began) {
      vain += reading.end - start;
      from = vain > vainFactor * text.length ? Math.max(reading.end, start + 1) : start + 1;
      continue;
    }
    from = reading.value === undefined ? endOfBroken(text, reading, findFence(reading.end - 1)) : reading.end;
    if (!isList) objects.push(toFound(reading, start));
    else if (reading.value === undefined || holdsObject(reading.value)) hasArray = true;
  }
  return { objects, hasArray };
}

/** The usual case: the answer is one JSON object and nothing else. Undefined if anything about it needs closer examination. */
function readWhole(text: string): FoundObject | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  const { keys, depth } = shapeOf(trimmed);
  if (depth > maxDepth) return undefined;
  const value = parse(trimmed);
  // A key given twice leaves fewer keys in the value than in the text.
  if (!isObject(value) || countKeys(value) !== keys || findInexactNumbers(trimmed).length > 0) return undefined;
  const start = text.indexOf('{');
  return { value, start, end: start + trimmed.length, repairs: createRepairLog(), issues: [] };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Not valid JSON; the tolerant reader reports what is wrong with it.
    return undefined;
  }
}

function toFound({ value, end, repairs, issues }: Reading, start: number): FoundObject {
  return { value: isObject(value) ? value : undefined, start, end, repairs, issues };
}

function holdsObject(value: Json): boolean {
  return Array.isArray(value) && value.some((item) => isObject(item) || holdsObject(item));
}

/** The next line that begins with a code fence, as the offset of the line break before it. Called with increasing offsets, it reads the text once. */
function createFenceFinder(text: string): (from: number) => number {
  let fenceStart = -1;
  return (from) => {
    if (fenceStart >= from) return fenceStart;
    fenceAtLineStart.lastIndex = from;
    fenceStart = fenceAtLineStart.exec(text)?.index ?? text.length;
    return fenceStart;
  };
}

/** Where an object that could not be read ends: its last bracket, or at `limit`, the end of its code fence or of the text. */
function endOfBroken(text: string, { end, open, inString }: Reading, limit: number): number {
  let depth = open;
  let quoted = inString;
  for (let at = end; at < limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (quoted) {
      if (unit === 0x5c) at += 1;
      else if (unit === 0x22) quoted = false;
    } else if (unit === 0x22) quoted = true;
    else if (unit === 0x7b || unit === 0x5b) depth += 1;
    else if (unit === 0x7d || unit === 0x5d) {
      depth -= 1;
      if (depth <= 0) return at + 1;
    }
  }
  return limit;
}
