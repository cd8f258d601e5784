import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentSymbol, FoldingRange, Range, SelectionRange } from 'vscode-languageserver';
import { documentOf } from '../support/documentOf.js';
import { runs, triesAll } from '../support/effort.js';
import { fullCapabilities } from '../support/lspClient.js';
import { samplePlaces } from '../support/samplePlaces.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { damaged, share } from './damagedText.js';
import { namedProject } from './namedProject.js';

const root = join(import.meta.dirname, '../..');
const samples = readdirSync(join(root, 'config'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
const files: Readonly<Record<string, string>> = {
  ...Object.fromEntries(samples.map((path) => [`config/${path.replaceAll('\\', '/')}`, readFileSync(join(root, 'config', path), 'utf8')])),
  ...namedProject,
};
const paths = Object.keys(files);

test('nothing throws at any place of a whole file', async () => {
  const server = await openServer(escaped(files), { client: fullCapabilities });
  const texts = Object.fromEntries(paths.map((path) => [path, server.text(path)]));
  for (const [path, offsets] of triesAll ? everyPlace(texts) : samplePlaces(texts, ['inside'])) {
    await askAboutFile(server, path);
    for (const offset of offsets) await askAt(server, path, offset);
  }
}, 600_000);

test('nothing throws at any place of a damaged file', async () => {
  const server = await openServer(escaped(files), { client: fullCapabilities });
  const damage = fc
    .constantFrom(...paths)
    .chain((path) => fc.tuple(fc.constant(path), damaged(fc.constant(files[path]!.replaceAll('||', '|')))));
  const places = fc.array(share, { minLength: 6, maxLength: 6 });
  const numRuns = runs(30, 120);
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(damage, places, async ([path, text], offsets) => {
      server.edit(path, text.replaceAll('|', '||'));
      await askAboutFile(server, path);
      for (const part of offsets) answers += await askAt(server, path, Math.floor(part * text.length));
      server.close(path);
    }),
    { numRuns },
  );
  // Damage here and there leaves most of a file as it was.
  expect(answers).toBeGreaterThan(2.5 * numRuns);
}, 600_000);

test('a text of 11 MB and an enum of 100,000 values are answered without delay', async () => {
  const path = 'config/agents/A/v1.json';
  const values = Array.from({ length: 100_000 }, (_item, index) => `"value_${index}"`).join(',');
  const schema = `{"type": "object", "properties": {"tone": {"enum": [${values}]}}}`;
  const many = `{"agent_name": "A", "version": "v1", "output_schema": ${schema}, "enums": {"tone": [${values}]}, "defaults": {"tone": "value_99999"}}`;
  const server = await openServer({ [path]: many }, { client: fullCapabilities });
  await askAboutFile(server, path);
  await askAt(server, path, many.indexOf('value_99999'));
  await askAt(server, path, many.lastIndexOf('value_99999'));
  const [location] = await server.request<{ range: Range }[]>('textDocument/references', {
    ...place(server, path, many.lastIndexOf('value_99999') + 3),
    context: { includeDeclaration: true },
  });
  expect(location!.range.start.character).toBe(many.indexOf('value_99999'));

  const large = `{"agent_name": "A", "version": "v1", "system_text": "${'x'.repeat(11 * 1024 * 1024)}"}`;
  server.edit(path, large);
  const started = performance.now();
  await askAboutFile(server, path);
  await askAt(server, path, 3);
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(await server.request('textDocument/hover', place(server, path, 3))).toBeNull();
}, 120_000);

async function askAboutFile(server: Harness, path: string): Promise<void> {
  const textDocument = { uri: server.uri(path) };
  const lines = documentOf(server.text(path));
  const end = lines.positionAt(server.text(path).length);
  const symbols = await server.request<DocumentSymbol[] | null>('textDocument/documentSymbol', { textDocument });
  for (const symbol of symbols ?? []) checkSymbol(symbol, { start: { line: 0, character: 0 }, end });
  const folds = await server.request<FoldingRange[] | null>('textDocument/foldingRange', { textDocument });
  for (const { startLine, endLine } of folds ?? []) {
    expect(startLine).toBeLessThan(endLine);
    expect(endLine).toBeLessThanOrEqual(end.line);
  }
  await server.request('textDocument/documentLink', { textDocument });
}

/** How many of the questions about a place had an answer. */
async function askAt(server: Harness, path: string, offset: number): Promise<number> {
  const at = place(server, path, offset);
  const answers: unknown[] = [];
  for (const method of ['hover', 'definition', 'documentHighlight', 'prepareCallHierarchy'])
    answers.push(await server.request(`textDocument/${method}`, at));
  const [selection] =
    (await server.request<SelectionRange[] | null>('textDocument/selectionRange', { ...at, positions: [at.position] })) ?? [];
  for (let part = selection; part?.parent !== undefined; part = part.parent) {
    expect(isInside(part.range, part.parent.range)).toBe(true);
    expect(part.range).not.toEqual(part.parent.range);
  }
  return answers.filter((answer) => answer !== null).length;
}

/** Clients refuse a symbol with a selection range outside of its range. */
function checkSymbol({ name, range, selectionRange, children = [] }: DocumentSymbol, around: Range): void {
  expect(name).not.toBe('');
  expect(isInside(selectionRange, range), `${name} ${JSON.stringify([selectionRange, range])}`).toBe(true);
  expect(isInside(range, around), `${name} ${JSON.stringify([range, around])}`).toBe(true);
  for (const child of children) checkSymbol(child, range);
}

function isInside(inner: Range, outer: Range): boolean {
  const isBefore = (left: Range['start'], right: Range['start']) =>
    left.line < right.line || (left.line === right.line && left.character <= right.character);
  return isBefore(outer.start, inner.start) && isBefore(inner.end, outer.end);
}

function place(server: Harness, path: string, offset: number) {
  return { textDocument: { uri: server.uri(path) }, position: documentOf(server.text(path)).positionAt(offset) };
}

/** In every token, and at regular steps in between. */
function everyPlace(texts: Readonly<Record<string, string>>): ReadonlyMap<string, readonly number[]> {
  const isAsked = (text: string, offset: number) => (text[offset] === '"' && offset % 2 === 0) || offset % 97 === 0;
  return new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      Array.from(Array(text.length + 1).keys()).filter((offset) => isAsked(text, offset)),
    ]),
  );
}

/** A `|` is no cursor here. */
function escaped(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, namedProject[path] === undefined ? text.replaceAll('|', '||') : text]),
  );
}
