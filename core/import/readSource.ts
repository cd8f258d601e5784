import type { Json } from '../json.js';
import { JsonTree } from '../jsonText/jsonTree.js';
import { parentPointer } from '../jsonText/locate.js';
import { parseJsonWithComments } from '../jsonText/parseJson.js';
import { type Position, positionsIn } from '../jsonText/textPositions.js';
import type { ImportSource } from '../otherTools/types.js';
import { ImportError } from './importError.js';
import { readYaml, YamlFault, type YamlText } from './readYaml.js';

/**
 * Reads a file of another tool by its ending: JSON with or without comments, YAML, Markdown with front matter; any other is a text.
 *
 * @throws ImportError naming file, line and column
 */
export async function readSource(path: string, text: string): Promise<ImportSource> {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (ending === 'json' || ending === 'jsonc') return { path, text, format: 'json', body: '', ...readJson(path, text) };
  if (ending === 'yaml' || ending === 'yml') return { path, text, format: 'yaml', body: '', ...(await yamlOf(path, text)) };
  if (ending === 'md') return readMarkdown(path, text);
  return { path, text, format: 'text', value: null, body: text, placeOf: () => ({ line: 1, column: 1 }) };
}

function readJson(path: string, text: string): YamlText {
  const { value, syntax } = parseJsonWithComments(text);
  const [fault] = syntax;
  if (fault !== undefined) throw broken(path, positionsIn(text)(fault.range.start), fault.message);
  let tree: JsonTree | undefined;
  const positionOf = positionsIn(text);
  return {
    value: value as Json,
    placeOf(pointer) {
      tree ??= new JsonTree(text);
      return positionOf(offsetIn(tree, pointer));
    },
  };
}

function offsetIn(tree: JsonTree, pointer: string): number {
  for (let around: string | undefined = pointer; around !== undefined; around = parentPointer(around)) {
    const member = tree.locate(around);
    if (member !== undefined) return (member.key ?? member.value).start;
  }
  return 0;
}

async function yamlOf(path: string, text: string): Promise<YamlText> {
  try {
    return await readYaml(text);
  } catch (error) {
    if (error instanceof YamlFault) throw broken(path, error.place, error.message);
    throw error;
  }
}

function broken(path: string, place: Position, message: string): ImportError {
  return new ImportError(path, `${path}:${place.line}:${place.column}: ${message}`, { place });
}

async function readMarkdown(path: string, text: string): Promise<ImportSource> {
  const parts = /^(\ufeff?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  const start = { line: 1, column: 1 };
  if (parts === null || parts.index > 0) return { path, text, format: 'markdown', value: null, body: text.trim(), placeOf: () => start };
  const [whole, opening = '', matter = ''] = parts;
  const source = { path, text, format: 'markdown', body: text.slice(whole.length).trim() } as const;
  try {
    // Spaces in place of the opening line keep lines and columns those of the file.
    return { ...source, ...(await readYaml(opening.replace(/[^\r\n]/g, ' ') + matter)) };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const lines = error.isSyntax ? readLines(matter) : undefined;
    if (lines === undefined) throw broken(path, error.place, error.message);
    return { ...source, ...lines, fault: error.message };
  }
}

/**
 * Front matter as many tools read it: a key at the start of a line, and all behind its colon as text, so that a description may hold colons and
 * quotes. Undefined where a line is neither that nor the continuation of one.
 */
function readLines(matter: string): YamlText | undefined {
  const entries = new Map<string, { text: string; readonly line: number }>();
  let last: { text: string } | undefined;
  for (const [index, line] of matter.split(/\r?\n/).entries()) {
    const [, key, rest = ''] = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/.exec(line) ?? [];
    if (key !== undefined) {
      const entry = { text: rest.trim(), line: index + 2 };
      if (entries.has(key)) return undefined;
      entries.set(key, entry);
      last = entry;
    } else if (line.trim() !== '' && last !== undefined) last.text += `\n${line}`;
    else if (line.trim() !== '') return undefined;
  }
  if (entries.size === 0) return undefined;
  const value = Object.fromEntries([...entries].map(([key, { text }]) => [key, text]));
  const lineOf = (pointer: string) => entries.get(pointer.split('/')[1] ?? '')?.line ?? 1;
  return { value, placeOf: (pointer) => ({ line: lineOf(pointer), column: 1 }) };
}
