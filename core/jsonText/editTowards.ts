import { isObject, type Json, pointerOf } from '../json.js';
import type { JsonEdit } from './jsonEdit.js';

/** Edits the value at a pointer into another one. Common parts stay as written. */
export function editTowards(edit: JsonEdit, pointer: string, before: Json | undefined, after: Json): void {
  if (before === after) return;
  if (isObject(before) && isObject(after)) editObject(edit, pointer, before, after);
  else if (Array.isArray(before) && Array.isArray(after)) editList(edit, pointer, before, after);
  else edit.set(pointer, after);
}

function editObject(
  edit: JsonEdit,
  pointer: string,
  before: { readonly [key: string]: Json },
  after: { readonly [key: string]: Json },
): void {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) edit.remove(pointer + pointerOf(key));
  const passed: string[] = [];
  for (const [key, value] of Object.entries(after)) {
    const at = pointer + pointerOf(key);
    if (Object.hasOwn(before, key)) editTowards(edit, at, before[key], value);
    else edit.set(at, value, { after: [...passed].reverse() });
    passed.push(key);
  }
}

/** Appends items to an extended list, and removes items from a shortened one. Any other list is replaced. */
function editList(edit: JsonEdit, pointer: string, before: readonly Json[], after: readonly Json[]): void {
  if (before.length === after.length) {
    after.forEach((value, index) => {
      editTowards(edit, `${pointer}/${index}`, before[index], value);
    });
    return;
  }
  const isPrefix = (short: readonly Json[], long: readonly Json[]) => short.every((value, index) => sameJson(value, long[index]));
  if (isPrefix(before, after)) for (const value of after.slice(before.length)) edit.insertItem(pointer, value);
  else if (isSubsequence(after, before)) removeOthers(edit, pointer, before, after);
  else edit.replace(pointer, after);
}

function isSubsequence(short: readonly Json[], long: readonly Json[]): boolean {
  let at = 0;
  for (const value of long) if (at < short.length && sameJson(value, short[at])) at += 1;
  return at === short.length;
}

function removeOthers(edit: JsonEdit, pointer: string, before: readonly Json[], after: readonly Json[]): void {
  let at = 0;
  before.forEach((value, index) => {
    if (at < after.length && sameJson(value, after[at])) at += 1;
    else edit.remove(`${pointer}/${index}`);
  });
}

function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
