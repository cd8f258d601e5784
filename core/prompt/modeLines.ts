import type { Json } from '../json.js';
import type { Mode } from '../snapshot/effective.js';
import type { Choice, Field } from './fields.js';
import { toJsonLine, toListItem, toSingleLine } from './lineText.js';
import { fixed, fromConfig, joinList, type Piece } from './promptText.js';

/** The mode's lines of the USER message: what to do with the fields, then what they mean. Empty without fields. */
export function modeLines(mode: Mode, fields: readonly Field[]): readonly (readonly Piece[])[] {
  if (fields.length === 0) return [];
  return [...instructions(mode, fields), ...fields.flatMap(describe)];
}

function instructions(mode: Mode, fields: readonly Field[]): readonly (readonly Piece[])[] {
  const names = joinList(fields.map(nameOf));
  switch (mode) {
    case 'Chooser':
      return choose(fields);
    case 'Writer':
      return [[fixed('Fields: '), ...names, fixed('.')], [fixed('Fill each field with appropriate text following the purpose.')]];
    case 'Extractor':
      return [[fixed('Extract from the input, or map to the schema, these fields: '), ...names, fixed('.')]];
  }
}

function choose(fields: readonly Field[]): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [];
  const others: Piece[] = [];
  for (const field of fields) {
    const name = nameOf(field);
    if (!field.choices) {
      others.push(name);
      continue;
    }
    const verb = field.multiple ? 'Choose one or more of ' : 'Choose ';
    lines.push([fixed(verb), name, fixed(' from ['), ...joinList(choicePieces(field.choices)), fixed('].')]);
  }
  if (others.length > 0) lines.push([fixed('Also fill: '), ...joinList(others), fixed('.')]);
  return lines;
}

function choicePieces(choices: readonly Choice[]): Piece[] {
  const hasOtherTypes = choices.some(({ value }) => typeof value !== 'string');
  return choices.map(({ value, pointer }) => fromConfig(toChoiceText(value, hasOtherTypes), pointer));
}

/** Next to numbers or booleans, a text that looks like one is quoted, so that `1` and `"1"` can be distinguished. */
function toChoiceText(value: Json, besideOtherTypes: boolean): string {
  if (typeof value !== 'string') return toJsonLine(value);
  const looksLikeOther = besideOtherTypes && /^(true|false|null|-?\d.*)$/.test(value);
  return looksLikeOther ? toJsonLine(value) : toListItem(value);
}

function describe(field: Field): Piece[][] {
  const { description } = field;
  const text = description && toSingleLine(description.text);
  if (!description || !text) return [];
  return [[fixed('- '), nameOf(field), fixed(': '), fromConfig(text, description.pointer)]];
}

function nameOf({ name, pointer }: Field): Piece {
  return fromConfig(toListItem(name), pointer);
}
