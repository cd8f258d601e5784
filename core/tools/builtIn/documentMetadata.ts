import { isObject, type Json, type JsonObject } from '../../json.js';
import { coverSecrets } from '../../secrets/secretPatterns.js';

/** Facts about a document for a search result. Secrets in them are masked. */
export interface DocumentMetadata {
  /** Front matter or JSON field `title` or `name`, else the first heading, else the file name. */
  readonly title: string;
  /** Front matter or JSON field `kind` or `type`, else `markdown`, `json`, `text`, or the file name's extension. */
  readonly kind: string;
  readonly tags: readonly string[];
  readonly description: string;
  /** Of Markdown, at most 50. */
  readonly headings: readonly string[];
  /** UTF-16 units. */
  readonly size: number;
  /** Other plain values of the front matter. */
  readonly fields: { readonly [name: string]: string };
}

/** Longer JSON is not parsed for its fields, in UTF-16 units. */
const longestJson = 500_000;
const mostHeadings = 50;
/** In UTF-16 units. */
const longestHeading = 200;

/** Never fails: invalid front matter or JSON counts as absent. */
export function documentMetadata(path: string, text: string): DocumentMetadata {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const fileKind = kinds[extension] ?? (extension === '' ? 'text' : extension);
  const isMarkdown = fileKind === 'markdown';
  const front =
    isMarkdown || fileKind === 'text' ? frontMatter(text) : { fields: fileKind === 'json' ? jsonFields(text) : new Map(), end: 0 };
  const headings = isMarkdown ? headingsOf(text.slice(front.end)) : [];
  const { fields } = front;
  const first = (...names: readonly string[]) => names.map((field) => plainText(fields.get(field))).find((value) => value !== '') ?? '';
  const standard = new Set(['title', 'name', 'kind', 'type', 'tags', 'keywords', 'description', 'summary']);
  const others = [...fields].filter(([field, value]) => !standard.has(field) && typeof value === 'string' && value.length <= 200);
  return {
    title: coverSecrets(first('title', 'name') || headings[0] || name),
    kind: coverSecrets(first('kind', 'type') || fileKind),
    tags: listOf(fields.get('tags') ?? fields.get('keywords')).map(coverSecrets),
    description: coverSecrets(first('description', 'summary')),
    headings: headings.map(coverSecrets),
    size: text.length,
    fields: Object.fromEntries(others.map(([field, value]) => [field, coverSecrets(String(value))])),
  };
}

const kinds: { readonly [extension: string]: string } = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  json: 'json',
  txt: 'text',
  rst: 'text',
  adoc: 'text',
};

type Fields = ReadonlyMap<string, Json>;

/** The subset of YAML used in front matter: `key: value`, lists in brackets or one item a line. */
function frontMatter(text: string): { readonly fields: Fields; readonly end: number } {
  const block = /^\ufeff?---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  const fields = new Map<string, Json>();
  if (block === null) return { fields, end: 0 };
  let open: { readonly key: string; readonly items: string[] } | undefined;
  for (const line of (block[1] ?? '').split(/\r?\n/)) {
    const item = /^\s*-\s+([\s\S]*)$/.exec(line);
    if (item && open) {
      open.items.push(plain(item[1] ?? ''));
      fields.set(open.key, open.items);
      continue;
    }
    const pair = /^([A-Za-z_][A-Za-z0-9_.-]*)\s*:(?:\s+([\s\S]*))?$/.exec(line);
    if (!pair) continue;
    const key = (pair[1] ?? '').toLowerCase();
    const value = (pair[2] ?? '').trim();
    open = value === '' ? { key, items: [] } : undefined;
    if (value.startsWith('[') && value.endsWith(']'))
      fields.set(
        key,
        value
          .slice(1, -1)
          .split(',')
          .map(plain)
          .filter((text) => text !== ''),
      );
    else if (value !== '') fields.set(key, plain(value));
  }
  return { fields, end: block[0].length };
}

function plain(value: string): string {
  const text = value.trim();
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(text);
  if (quoted) return quoted[1] ?? quoted[2] ?? '';
  const comment = text.search(/\s#/);
  return comment < 0 ? text : text.slice(0, comment).trimEnd();
}

function jsonFields(text: string): Fields {
  const fields = new Map<string, Json>();
  if (text.length > longestJson) return fields;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return fields;
    throw error;
  }
  if (!isObject(value)) return fields;
  for (const name of ['title', 'name', 'kind', 'type', 'tags', 'keywords', 'description', 'summary', 'version']) {
    if (Object.hasOwn(value, name)) fields.set(name, value[name] ?? null);
  }
  return fields;
}

/** ATX headings outside fenced code. */
function headingsOf(text: string): readonly string[] {
  const headings: string[] = [];
  let fence: string | undefined;
  for (const match of text.matchAll(/^(?: {0,3})(?:(```+|~~~+)|#{1,6}[ \t]+([^\r\n]+))/gm)) {
    const [, mark, heading] = match;
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    else if (fence === undefined && heading !== undefined)
      headings.push(
        heading
          .slice(0, longestHeading)
          .replace(/[ \t]+#+[ \t]*$/, '')
          .trim(),
      );
    if (headings.length === mostHeadings) break;
  }
  return headings;
}

function plainText(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim().slice(0, 500) : typeof value === 'number' ? String(value) : '';
}

function listOf(value: Json | undefined): readonly string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').slice(0, 50) : [];
}

/** For a model and a trace, without empty fields. */
export function metadataValue({ kind, tags, description, headings, size, fields }: DocumentMetadata): JsonObject {
  return {
    kind,
    ...(tags.length > 0 && { tags }),
    ...(description !== '' && { description }),
    ...(headings.length > 0 && { headings: headings.slice(0, 10) }),
    size,
    ...(Object.keys(fields).length > 0 && { fields }),
  };
}
