import { isObject, type Json, type JsonObject, listOf, setAt } from '../json.js';
import { findInexactNumbers, isExact } from '../jsonText/exactNumbers.js';
import { didYouMean, firstNames, nearestNames } from '../names.js';
import { capitalized } from '../words.js';

/** A row of a table. */
export interface TableRow {
  /** Its place in the file, from 1: `line 3`, or `entry 3` of a list. */
  readonly place: string;
  /** By column. CSV cells are texts. */
  readonly cells: ReadonlyMap<string, Json>;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

/** The target of a column. */
export type ColumnTarget =
  | { readonly type: 'input' | 'expected'; readonly path: readonly string[] }
  | { readonly type: 'name' }
  | { readonly type: 'tags' }
  | { readonly type: 'expect' };

interface RowsRequest {
  readonly table: Table;
  /** The targets of `--map`, by column. */
  readonly mapped: ReadonlyMap<string, ColumnTarget>;
  /** The agent's input keys, and the fields of its answer. */
  readonly inputKeys: readonly string[];
  readonly requiredKeys: readonly string[];
  readonly outputFields: readonly string[];
  /** The fault of a value at a place, as a sentence; undefined if it is valid or nothing is known. */
  readonly issueOf: (type: 'input' | 'expected', path: readonly string[], value: Json) => string | undefined;
}

interface RowsResult {
  readonly cases: readonly JsonObject[];
  /** Columns without a target. */
  readonly leftOut: readonly string[];
  /** Sentences; if there is one, no case should be written. */
  readonly problems: readonly string[];
}

/** The cases of a data set, one per row: columns become values of the input and expectations of the answer. */
export function casesOfRows(request: RowsRequest): RowsResult {
  const { table, requiredKeys } = request;
  const targets = new Map<string, ColumnTarget>();
  const problems: string[] = [];
  for (const column of table.columns) {
    const target = targetOf(column, request);
    if (target === 'ambiguous')
      problems.push(
        `The column ${JSON.stringify(column)} is a key of the input and a field of the answer. Say which: --map ${column}=input.${column} or --map ${column}=expected.${column}.`,
      );
    else if (target !== undefined) targets.set(column, target);
  }
  for (const column of request.mapped.keys()) {
    if (!table.columns.includes(column))
      problems.push(`--map: there is no column ${JSON.stringify(column)}.${didYouMean(nearestNames(column, table.columns))}`);
  }
  const filled = new Set([...targets.values()].flatMap((target) => (target.type === 'input' ? [target.path[0]] : [])));
  for (const key of requiredKeys) {
    if (!filled.has(key))
      problems.push(
        `There is no column for the input key ${JSON.stringify(key)}. Name one: --map COLUMN=input.${key}. Columns: ${firstNames(table.columns)}.`,
      );
  }
  const leftOut = table.columns.filter((column) => !targets.has(column));
  if (problems.length > 0) return { cases: [], leftOut, problems };
  const names = new Map<string, string>();
  const cases = table.rows.map((row) => caseOf(row, targets, request, names, problems));
  return { cases, leftOut, problems };
}

function targetOf(column: string, { mapped, inputKeys, outputFields }: RowsRequest): ColumnTarget | 'ambiguous' | undefined {
  const target = mapped.get(column);
  if (target !== undefined) return target;
  const [head, ...path] = column.split('.');
  const [isInput, isOutput] = [inputKeys.includes(column), outputFields.includes(column)];
  if (isInput && isOutput) return 'ambiguous';
  if (isInput) return { type: 'input', path: [column] };
  if (isOutput) return { type: 'expected', path: [column] };
  if ((head === 'input' || head === 'expected') && path.length > 0 && !path.includes('')) return { type: head, path };
  if (column === 'name' || column === 'tags' || column === 'expect') return { type: column };
  return undefined;
}

function caseOf(
  { place, cells }: TableRow,
  targets: ReadonlyMap<string, ColumnTarget>,
  { issueOf }: RowsRequest,
  names: Map<string, string>,
  problems: string[],
): JsonObject {
  let name: string | undefined;
  let input: JsonObject = {};
  const [expect, tags]: [Json[], string[]] = [[], []];
  for (const [column, target] of targets) {
    const cell = cells.get(column);
    if (cell === undefined) continue;
    if (target.type === 'name') name = String(cell).trim() || undefined;
    else if (target.type === 'tags') tags.push(...tagsOf(cell));
    else if (target.type === 'expect') expect.push(...listOf(cell));
    else {
      const { type, path } = target;
      const read = cellValue(cell, (value) => issueOf(type, path, value));
      // An empty cell is ignored, unless an empty text is a valid value.
      if (cell === '' && ('issue' in read || type === 'expected')) continue;
      if ('issue' in read) problems.push(`${capitalized(place)}, column ${JSON.stringify(column)}: ${read.issue}`);
      else if (type === 'input') input = setAt(input, path, read.value);
      else expect.push({ output_field: path.join('.'), operator: 'equals', value: read.value });
    }
  }
  if (name !== undefined) {
    const first = names.get(name);
    if (first !== undefined) problems.push(`${capitalized(place)}: the name ${JSON.stringify(name)} is that of ${first} already.`);
    names.set(name, first ?? place);
  }
  return { ...(name !== undefined && { name }), input, ...(expect.length > 0 && { expect }), ...(tags.length > 0 && { tags }) };
}

function tagsOf(cell: Json): readonly string[] {
  const tags = Array.isArray(cell) ? cell.map(String) : String(cell).split(/[;,]/);
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
}

/** The cells of a JSON row, with the members of `input` and `expected` as separate cells: `input.task`. */
export function cellsOfObject(row: JsonObject): ReadonlyMap<string, Json> {
  const cells = new Map<string, Json>();
  for (const [key, value] of Object.entries(row)) {
    if ((key === 'input' || key === 'expected') && isObject(value))
      for (const [name, member] of Object.entries(value)) cells.set(`${key}.${name}`, member);
    else cells.set(key, value);
  }
  return cells;
}

/** The fault of a value, as a sentence; undefined if it is valid. */
type FindIssue = (value: Json) => string | undefined;

/**
 * The value of a cell whose schema accepts numbers, booleans, lists or objects: the first valid reading. The unchanged text is tried first, so
 * `"007"` stays a text where texts are allowed. A list is JSON, or has semicolons between its items.
 *
 * @returns the value, or the issue of the unchanged text
 */
function cellValue(cell: Json, issueOf: FindIssue): { readonly value: Json } | { readonly issue: string } {
  const issue = issueOf(cell);
  if (issue === undefined) return { value: cell };
  if (typeof cell === 'string') {
    for (const value of readings(cell.trim(), issueOf)) if (issueOf(value) === undefined) return { value };
  }
  return { issue };
}

function* readings(text: string, issueOf: FindIssue): Generator<Json> {
  yield text;
  const read = scalarOf(text) ?? jsonOf(text);
  if (read !== undefined) yield read;
  if (text === '') return;
  const parts = text.split(';').map((part) => part.trim());
  const simple = parts.map((part) => scalarOf(part) ?? part);
  yield parts;
  if (issueOf(parts) !== undefined) yield simple;
}

/** A number, also with leading zeros, or a boolean in any letter case, as spreadsheets write them. */
function scalarOf(text: string): Json | undefined {
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return exactNumber(text);
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : undefined;
}

/** Undefined for a number that cannot be represented exactly, such as a long id: it stays a text. */
function exactNumber(text: string): number | undefined {
  const value = Number(text);
  const written = text
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=e|$)/i, '');
  return isExact(written) ? value : undefined;
}

function jsonOf(text: string): Json | undefined {
  try {
    return findInexactNumbers(text).length > 0 ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}
