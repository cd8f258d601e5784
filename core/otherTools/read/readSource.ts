import type { TextRange } from '../../finding.js';
import type { Json } from '../../json.js';
import { JsonTree } from '../../jsonText/jsonTree.js';
import { parentPointer } from '../../jsonText/locate.js';
import { parseJsonWithComments } from '../../jsonText/parseJson.js';
import { positionsIn } from '../../jsonText/textPositions.js';
import type { ImportSource } from '../importSource.js';
import { readToml } from './readToml.js';
import { readYaml } from './readYaml.js';
import { type ReadText, SourceFault } from './sourceFault.js';

/**
 * Reads a file of another tool by its ending: JSON with or without comments, YAML, TOML, Markdown with front matter; any other is a text.
 *
 * @throws SourceFault
 */
export async function readSource(path: string, text: string): Promise<ImportSource> {
  const { rangeOf, ...read } = await readByEnding(path, text);
  const positionOf = positionsIn(text);
  return { path, text, ...read, rangeOf, placeOf: (pointer) => positionOf(rangeOf(pointer, 'key').start) };
}

type Read = Pick<ImportSource, 'format' | 'value' | 'body' | 'rangeOf' | 'fault' | 'faultRange' | 'duplicates'>;

async function readByEnding(path: string, text: string): Promise<Read> {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (ending === 'json' || ending === 'jsonc') return { format: 'json', body: '', ...readJson(text) };
  if (ending === 'yaml' || ending === 'yml') return { format: 'yaml', body: '', ...(await readYaml(text)) };
  if (ending === 'toml') return { format: 'toml', body: '', ...(await readToml(text)) };
  if (ending === 'md') return readMarkdown(text);
  return { format: 'text', value: null, body: text, rangeOf: () => start };
}

const start: TextRange = { start: 0, end: 0 };

function readJson(text: string): ReadText<Json> & Pick<ImportSource, 'duplicates'> {
  const { value, syntax } = parseJsonWithComments(text);
  const duplicates = syntax.filter(({ code }) => code === 'duplicate-key');
  const fault = syntax.find(({ code }) => code !== 'duplicate-key');
  if (fault !== undefined) throw new SourceFault(fault.message, fault.range, true);
  let tree: JsonTree | undefined;
  return {
    value: value as Json,
    ...(duplicates.length > 0 && { duplicates }),
    rangeOf(pointer, target = 'value') {
      tree ??= new JsonTree(text);
      const member = tree.locate(pointer);
      if (member !== undefined) return target === 'key' ? (member.key ?? member.value) : member.value;
      for (let around = parentPointer(pointer); around !== undefined; around = parentPointer(around)) {
        const outer = tree.locate(around);
        if (outer !== undefined) return outer.key ?? { start: outer.value.start, end: outer.value.start + 1 };
      }
      return start;
    },
  };
}

async function readMarkdown(text: string): Promise<Read> {
  const parts = /^(\ufeff?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (parts === null || parts.index > 0) return { format: 'markdown', value: null, body: text.trim(), rangeOf: () => start };
  const [whole, opening = '', matter = ''] = parts;
  const source = { format: 'markdown', body: text.slice(whole.length).trim() } as const;
  try {
    // Spaces instead of the opening line preserve the lines and columns of the file.
    return { ...source, ...(await readYaml(opening.replace(/[^\r\n]/g, ' ') + matter)) };
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    const lines = error.isSyntax ? readLines(matter, opening.length) : undefined;
    if (lines === undefined) throw error;
    return { ...source, ...lines, fault: error.message, faultRange: error.range };
  }
}

/**
 * Front matter as many tools read it: a key at the start of a line, and all behind its colon as text, so that a description may hold colons and
 * quotes. Undefined where a line is neither that nor the continuation of one.
 *
 * @param offset where it begins in the file
 */
function readLines(matter: string, offset: number): ReadText<Json> | undefined {
  const entries = new Map<string, { text: string; readonly key: TextRange; value: TextRange }>();
  let last: { text: string; value: TextRange } | undefined;
  let isText = false;
  let at = offset;
  for (const line of matter.split(/(?<=\n)/)) {
    const content = line.replace(/\r?\n$/, '');
    const [, key, rest = ''] = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/.exec(content) ?? [];
    if (key !== undefined && entries.has(key) && !isText) return undefined;
    // A key that stands again after lines of a text is part of it, as in a dialogue.
    if (key !== undefined && !entries.has(key)) {
      const value = rest.trim();
      const from = value === '' ? at : at + content.indexOf(value, key.length + 1);
      const entry = { text: value, key: { start: at, end: at + key.length }, value: { start: from, end: from + value.length } };
      entries.set(key, entry);
      last = entry;
    } else if (content.trim() !== '') {
      if (last === undefined) return undefined;
      last.text += `\n${content}`;
      isText = true;
    }
    at += line.length;
  }
  if (entries.size === 0) return undefined;
  const value = Object.fromEntries([...entries].map(([key, { text }]) => [key, listIn(text) ?? text]));
  return { value, rangeOf: (pointer, target = 'value') => entries.get(pointer.split('/')[1] ?? '')?.[target] ?? start };
}

/** The texts of a list, in brackets or one a line; undefined for any other text. */
function listIn(text: string): readonly string[] | undefined {
  const inBrackets = /^\[([^[\]]*)\]$/.exec(text)?.[1];
  const items =
    inBrackets === undefined
      ? /^(?:\n[ \t]*-[ \t]+[^\n]+)+$/.test(text) &&
        text
          .trim()
          .replace(/^-/, '')
          .split(/\n[ \t]*-[ \t]/)
      : inBrackets.split(/,(?![^(]*\))/);
  return items ? items.map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2')).filter((item) => item !== '') : undefined;
}
