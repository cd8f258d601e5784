import type { Document, Node } from 'yaml';
import type { TextRange } from '../../finding.js';
import { type Json, segmentsOf } from '../../json.js';
import { maxDepth } from '../../jsonText/jsonShape.js';
import { type ReadText, SourceFault } from './sourceFault.js';

/** How many values aliases may stand for in all: more is an attack on the memory. */
const maxAliasCount = 100;

/** The tags of plain values. All others name types of a program. */
const plainTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((tag) => `tag:yaml.org,2002:${tag}`),
);

/**
 * One document of YAML 1.2, with merge keys. Custom tags, several documents, and values that JSON does not have are refused.
 *
 * @throws SourceFault
 */
export async function readYaml(text: string): Promise<ReadText<Json>> {
  const yaml = await import('../../textFormats.js');
  const fault = (message: string, offset: number, isSyntax = false) =>
    new SourceFault(message, { start: offset, end: offset + 1 }, isSyntax);
  let documents: readonly Document[];
  try {
    documents = yaml.parseAllDocuments(text, { merge: true, prettyErrors: false, logLevel: 'silent' });
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw fault('It is nested too deeply.', 0);
    throw error;
  }
  const [document, second] = documents;
  if (document === undefined) return { value: null, rangeOf: () => ({ start: 0, end: 0 }) };
  const [broken] = document.errors;
  if (broken !== undefined) throw fault(`Not YAML: ${broken.message.split('\n', 1)[0]}`, broken.pos[0], true);
  if (second !== undefined)
    throw fault('It holds several YAML documents (---). Put each of them into a file of its own.', second.range?.[0] ?? 0);
  yaml.visit(document, {
    Node(_key, node) {
      if ('tag' in node && node.tag !== undefined && !plainTags.has(node.tag))
        throw fault(`The tag ${node.tag} names a type of a program, which is not read. Write the value without it.`, startOf(node) ?? 0);
    },
  });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount });
  } catch (error) {
    if (!(error instanceof ReferenceError || error instanceof RangeError)) throw error;
    throw fault('Its aliases (*name) expand to too much data, or name nothing. Write the values out.', 0);
  }
  if (!isJson(value, 0)) throw fault(`It is nested more than ${maxDepth} levels deep, or holds a value that JSON does not have.`, 0);
  return { value, rangeOf: (pointer, target) => rangeOf(document, pointer, target) };

  function rangeOf(root: Document, pointer: string, target: 'key' | 'value' = 'value'): TextRange {
    let node: unknown = root.contents;
    let key: unknown;
    for (const segment of segmentsOf(pointer)) {
      if (yaml.isAlias(node)) node = node.resolve(root);
      let inner: unknown;
      let name: unknown;
      if (yaml.isMap(node)) {
        const pair = node.items.find(({ key }) => String(yaml.isScalar(key) ? key.value : key) === segment);
        inner = pair?.value ?? pair?.key;
        name = pair?.key;
      } else if (yaml.isSeq(node)) inner = node.items[Number(segment)];
      if (startOf(inner) === undefined) return extentOf(key ?? node);
      node = inner;
      key = name;
    }
    return extentOf(target === 'key' ? (key ?? node) : node);
  }
}

/** Without trailing space. */
function extentOf(node: unknown): TextRange {
  const [start = 0, end = start] = (node as Node | null | undefined)?.range ?? [];
  return { start, end };
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

function isJson(value: unknown, depth: number): value is Json {
  if (depth > maxDepth) return false;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((item) => isJson(item, depth + 1));
}
