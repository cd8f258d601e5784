import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { isObject, type Json } from '../core/json.js';
import { findInexactNumbers, inexactWords } from '../core/jsonText/exactNumbers.js';
import { cellsOfObject, type Table, type TableRow } from '../core/scaffold/casesOfRows.js';
import { UsageError } from './cli.js';

/**
 * Reads a table: CSV (with commas, semicolons or tabs between the columns), a JSON list of objects, or JSONL. The ending of the name decides.
 *
 * @throws UsageError naming the file, and the line where it cannot be read
 */
export async function readTable(cwd: string, written: string): Promise<Table> {
  const refuse = (fault: string) => new UsageError(`--from ${written}: ${fault}`, 'input-invalid');
  const text = readText(resolve(cwd, written), refuse);
  if (text.trim() === '') throw refuse('the file is empty. It needs a line with the names of the columns, and one for each case.');
  const ending = extname(written).toLowerCase();
  if (ending === '.json') return tableOf(jsonRows(text, refuse), refuse);
  if (ending === '.jsonl' || ending === '.ndjson') return tableOf(lineRows(text, refuse), refuse);
  if (ending === '.csv' || ending === '.tsv') return csvTable(text, ending, refuse);
  throw refuse('expected a file that ends in .csv, .tsv, .json or .jsonl.');
}

type Refuse = (fault: string) => UsageError;

function readText(path: string, refuse: Refuse): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const faults: { readonly [code: string]: string } = {
      ENOENT: 'there is no such file.',
      EISDIR: 'this is a folder.',
      EACCES: 'no permission to read it.',
    };
    const fault = faults[code ?? ''];
    if (fault === undefined) throw error;
    throw refuse(fault);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('it is not UTF-8 text. Save it as UTF-8.');
  }
}

async function csvTable(text: string, ending: string, refuse: Refuse): Promise<Table> {
  const { CsvError, parseCsv } = await import('../core/textFormats.js');
  const read = (delimiter: string, lines?: number) =>
    parseCsv(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      ...(lines !== undefined && { to: lines }),
    }) as unknown as readonly { readonly record: readonly string[]; readonly info: { readonly bytes: number } }[];
  try {
    const delimiter = ending === '.tsv' ? '\t' : delimiterOf((delimiter) => read(delimiter, 1)[0]?.record.length ?? 0, CsvError);
    const [header, ...records] = read(delimiter);
    const columns = (header?.record ?? []).map((name) => name.trim());
    refuseColumns(columns, refuse);
    const lineAt = lineCounter(text);
    const rows = records.map(({ record }, index): TableRow => {
      const line = lineAt((index === 0 ? header : records[index - 1])?.info.bytes ?? 0);
      if (record.length > columns.length)
        throw refuse(
          `line ${line} has ${record.length} cells, and there are ${columns.length} columns. Put quotes around a cell with ${JSON.stringify(delimiter)} in it.`,
        );
      if (record.length < columns.length)
        throw refuse(
          `line ${line} has ${record.length} cells, and there are ${columns.length} columns. Leave no cell out: an empty one is fine.`,
        );
      return { place: `line ${line}`, cells: new Map(columns.map((column, at) => [column, record[at] ?? ''])) };
    });
    if (rows.length === 0) throw refuse('there is no line below the names of the columns.');
    return { columns, rows };
  } catch (error) {
    if (error instanceof CsvError) throw refuse(`it is not valid CSV: ${error.message}`);
    throw error;
  }
}

/** What makes the most columns. A name in quotes before another separator is not CSV. */
function delimiterOf(count: (delimiter: string) => number, refusal: new (...args: never[]) => Error): string {
  const widthOf = (delimiter: string) => {
    try {
      return count(delimiter);
    } catch (error) {
      if (error instanceof refusal) return 0;
      throw error;
    }
  };
  return [',', ';', '\t'].reduce((best, candidate) => (widthOf(candidate) > widthOf(best) ? candidate : best));
}

/** The line of the first text after a number of bytes, called in ascending order. */
function lineCounter(text: string): (bytes: number) => number {
  const all = Buffer.from(text);
  let [at, line] = [0, 1];
  return (bytes) => {
    for (; at < all.length && (at < bytes || all[at] === 10 || all[at] === 13); at++) if (all[at] === 10) line += 1;
    return line;
  };
}

function refuseColumns(columns: readonly string[], refuse: Refuse): void {
  const nameless = columns.indexOf('');
  if (nameless >= 0) throw refuse(`column ${nameless + 1} has no name. The first line names the columns.`);
  const twice = columns.find((column, index) => columns.indexOf(column) < index);
  if (twice !== undefined) throw refuse(`two columns have the name ${JSON.stringify(twice)}. Rename one of them.`);
}

function jsonRows(text: string, refuse: Refuse): readonly TableRow[] {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw refuse(`it is not valid JSON: ${(error as Error).message}`);
  }
  refuseInexact(text, '', refuse);
  if (!Array.isArray(value)) throw refuse('expected a list of objects, one for each case.');
  return value.map((row: Json, index): TableRow => {
    if (!isObject(row)) throw refuse(`entry ${index + 1} is not an object.`);
    return { place: `entry ${index + 1}`, cells: cellsOfObject(row) };
  });
}

function lineRows(text: string, refuse: Refuse): readonly TableRow[] {
  return text.split('\n').flatMap((line, index): TableRow[] => {
    if (line.trim() === '') return [];
    let row: Json;
    try {
      row = JSON.parse(line) as Json;
    } catch {
      throw refuse(`line ${index + 1} is not valid JSON.`);
    }
    refuseInexact(line, `line ${index + 1}: `, refuse);
    if (!isObject(row)) throw refuse(`line ${index + 1} is not an object.`);
    return [{ place: `line ${index + 1}`, cells: cellsOfObject(row) }];
  });
}

/** A case with another number would be another case. */
function refuseInexact(text: string, place: string, refuse: Refuse): void {
  const [inexact] = findInexactNumbers(text);
  if (inexact !== undefined) throw refuse(place + inexactWords(inexact));
}

function tableOf(rows: readonly TableRow[], refuse: Refuse): Table {
  if (rows.length === 0) throw refuse('there is no case in it.');
  return { columns: [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))], rows };
}
