import type { AST } from 'toml-eslint-parser';
import type { TextRange } from '../../finding.js';
import { type Json, pointerOf } from '../../json.js';
import { parentPointer } from '../../jsonText/locate.js';
import { type ReadText, SourceFault } from './sourceFault.js';

/**
 * TOML, the newest version that is known: tools differ in what they read. Dates are the texts that they are written as.
 *
 * @throws SourceFault
 */
export async function readToml(text: string): Promise<ReadText<Json>> {
  const { getStaticTOMLValue, parseTOML } = await import('../../textFormats.js');
  let program: AST.TOMLProgram;
  try {
    program = parseTOML(text, { tomlVersion: 'next' });
  } catch (error) {
    if (error instanceof RangeError) throw new SourceFault('It is nested too deeply.', { start: 0, end: 0 }, false);
    if (!(error instanceof Error && 'index' in error)) throw error;
    const start = Math.min(Number(error.index), text.length);
    throw new SourceFault(`Not TOML: ${error.message.replace(/ \(\d+:\d+\)$/, '')}`, { start, end: start + 1 }, true);
  }
  const value = JSON.parse(JSON.stringify(getStaticTOMLValue(program), (_key, part) => (typeof part === 'bigint' ? String(part) : part)));
  let places: ReadonlyMap<string, Place> | undefined;
  return {
    value: value as Json,
    rangeOf(pointer, target = 'value') {
      places ??= placesIn(program);
      for (let around: string | undefined = pointer; around !== undefined; around = parentPointer(around)) {
        const place = places.get(around);
        if (place !== undefined) return around === pointer ? place[target] : place.key;
      }
      return { start: 0, end: 0 };
    },
  };
}

interface Place {
  readonly key: TextRange;
  readonly value: TextRange;
}

/** Where each value is written, by its pointer. A table that several headers make has the place of the first. */
function placesIn(program: AST.TOMLProgram): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const put = (path: readonly (string | number)[], key: TextRange, value: TextRange) => {
    const pointer = pointerOf(...path);
    if (!places.has(pointer)) places.set(pointer, { key, value });
  };
  const visitValue = (path: readonly (string | number)[], key: TextRange, node: AST.TOMLContentNode) => {
    put(path, key, extentOf(node));
    if (node.type === 'TOMLArray')
      for (const [index, element] of node.elements.entries()) visitValue([...path, index], extentOf(element), element);
    if (node.type === 'TOMLInlineTable') for (const entry of node.body) visitEntry(path, entry);
  };
  const visitEntry = (around: readonly (string | number)[], { key, value }: AST.TOMLKeyValue) => {
    const names = key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
    names.slice(0, -1).forEach((_name, index) => {
      put([...around, ...names.slice(0, index + 1)], extentOf(key), extentOf(value));
    });
    visitValue([...around, ...names], extentOf(key), value);
  };
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') visitEntry([], node);
    else {
      const path = node.resolvedKey;
      path.forEach((_name, index) => {
        put(path.slice(0, index + 1), extentOf(node.key), extentOf(node.key));
      });
      for (const entry of node.body) visitEntry(path, entry);
    }
  }
  return places;
}

function extentOf({ range: [start, end] }: AST.TOMLNode): TextRange {
  return { start, end };
}
