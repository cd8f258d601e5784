import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { editTowards } from '../jsonText/editTowards.js';
import { applyReplacements, JsonEdit, type TextReplacement } from '../jsonText/jsonEdit.js';
import { parseJson } from '../jsonText/parseJson.js';
import { readYaml, toYaml } from './frontMatter.js';
import { longTexts, type StringValue, stringValues } from './longTexts.js';
import { changeLiteral, showLiteral } from './textLiteral.js';

/** A text of the JSON file in the Markdown. */
export interface Section {
  /** Where it is in the JSON file. */
  readonly pointer: string;
  /** The line, from 0, on which its text begins, and the one after its last. */
  readonly line: number;
  readonly end: number;
  /** The lines that have one backslash more than the text. */
  readonly escaped: ReadonlySet<number>;
}

/** Why a Markdown text cannot be converted to a JSON file. `line` counts from 0; `name` is the text of a heading. */
export type MarkdownFault =
  | { readonly type: 'json' | 'noFrontMatter' | 'strayText'; readonly line: number }
  | { readonly type: 'yaml' | 'notJson'; readonly line: number; readonly detail: string }
  | { readonly type: 'noSection' | 'repeatedSection' | 'unnamedSection'; readonly line: number; readonly name: string };

export type FromMarkdown =
  | { readonly type: 'edits'; readonly edits: readonly TextReplacement[]; readonly sections: readonly Section[] }
  | { readonly type: 'fault'; readonly fault: MarkdownFault };

const fence = '---';
const mark = '# ';

/**
 * A JSON file as Markdown: its settings as YAML front matter, and each long text below a heading. In place of each text, the front matter has the
 * heading in quotes: `system_text: "# system_text"`. In a text, a line that looks like such a heading gets a backslash.
 *
 * @returns undefined for a text that is not a JSON object, and for one that would not survive the conversion to Markdown and back
 */
export async function toMarkdown(json: string): Promise<string | undefined> {
  const value = objectOf(json);
  if (value === undefined) return undefined;
  const strings = new Map(stringValues(json).map((text) => [text.pointer, text]));
  const texts = textsOf(json, strings);
  const names = namesOf(strings);
  const settings = withMarks(value, '', texts) as JsonObject;
  const parts = [...texts].map(([pointer, { text }]) => `\n${mark}${pointer.slice(1)}\n\n${escapeLines(text, names)}\n`);
  for (const yaml of [await toYaml(settings), `${JSON.stringify(settings, null, 2)}\n`]) {
    const markdown = `${fence}\n${yaml}${fence}\n${parts.join('')}`;
    const back = await fromMarkdown(markdown, json);
    if (back.type === 'edits' && back.edits.length === 0) return markdown;
  }
  return undefined;
}

/**
 * The edits that bring a Markdown text into its JSON file. Unchanged values stay exactly as written; in a text, only the stretches that differ
 * are replaced.
 */
export async function fromMarkdown(markdown: string, json: string): Promise<FromMarkdown> {
  const fault = (found: MarkdownFault): FromMarkdown => ({ type: 'fault', fault: found });
  const before = objectOf(json);
  if (before === undefined) return fault({ type: 'json', line: 0 });
  const lines = markdown.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  const close = lines.indexOf(fence, 1);
  if (lines[0] !== fence || close < 0) return fault({ type: 'noFrontMatter', line: 0 });
  const front = lines.slice(1, close);
  const strings = new Map(stringValues(json).map((text) => [text.pointer, text]));
  const read = await readYaml(`${front.join('\n')}\n`, before);
  if (read.type !== 'settings') return fault({ ...read, line: read.line + 1 });

  const places = marksIn(read.settings, '');
  const named = new Set(places.values());
  const bodies = bodiesIn(lines, close + 1, named, namesOf(strings));
  if ('type' in bodies) return fault(bodies);
  for (const name of named)
    if (!bodies.has(name)) return fault({ type: 'noSection', line: front.findIndex((line) => line.includes(mark + name)) + 1, name });

  const changes = changesOf(json, places, bodies, strings);
  const own = (isWhole: boolean) => {
    const edit = new JsonEdit(json);
    const text = (pointer: string) => {
      const change = changes.get(pointer);
      return isWhole || change?.edits === undefined ? change?.value : change.before;
    };
    editTowards(edit, '', before, withTexts(read.settings, '', text));
    return edit.replacements();
  };
  const ofTexts = [...changes.values()].flatMap(({ edits = [] }) => edits);
  const ofSettings = own(false);
  const overlaps = ofTexts.some(({ start, end }) => ofSettings.some((other) => other.start < end && start < other.end));
  const edits = overlaps ? own(true) : [...ofSettings, ...ofTexts].sort((left, right) => left.start - right.start || left.end - right.end);
  const sections = [...places].flatMap(([pointer, name]) => {
    const body = bodies.get(name);
    return body === undefined ? [] : [{ pointer, line: body.line, end: body.end, escaped: body.escaped }];
  });
  return { type: 'edits', edits, sections };
}

/** The JSON file for a Markdown text, and where its texts are; undefined if the text cannot be converted. */
export async function draftOfMarkdown(markdown: string, json: string) {
  const made = await fromMarkdown(markdown, json);
  return made.type === 'edits' ? { json: applyReplacements(json, made.edits), sections: made.sections } : undefined;
}

function objectOf(json: string): JsonObject | undefined {
  const { value } = parseJson(json);
  return isObject(value) ? value : undefined;
}

/** The texts that get a section: long ones, and those that would be mistaken for a heading in the front matter. */
function textsOf(json: string, strings: ReadonlyMap<string, StringValue>): ReadonlyMap<string, { readonly text: string }> {
  const long = new Set(longTexts(json).map(({ pointer }) => pointer));
  const sections = new Map<string, { readonly text: string }>();
  for (const { pointer, start, end } of strings.values()) {
    const shownText = showLiteral(json.slice(start, end));
    const isHeading = isName(pointer.slice(1));
    if (shownText !== undefined && isHeading && (long.has(pointer) || shownText.text.startsWith(mark))) sections.set(pointer, shownText);
  }
  return sections;
}

/** Whether a name can be a heading: on one line, without blanks around it. */
function isName(name: string): boolean {
  return name !== '' && name === name.trim() && !/[\p{C}\u2028\u2029]/u.test(name);
}

function namesOf(strings: ReadonlyMap<string, StringValue>): ReadonlySet<string> {
  return new Set([...strings.keys()].map((pointer) => pointer.slice(1)));
}

function withMarks(value: Json, pointer: string, texts: ReadonlyMap<string, unknown>): Json {
  if (texts.has(pointer)) return mark + pointer.slice(1);
  if (Array.isArray(value)) return value.map((item: Json, index) => withMarks(item, `${pointer}/${index}`, texts));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withMarks(inner, pointer + pointerOf(key), texts)]))
    : value;
}

/** Where the front matter refers to headings, by pointer. */
function marksIn(value: Json, pointer: string): ReadonlyMap<string, string> {
  if (typeof value === 'string')
    return new Map(value.startsWith(mark) && isName(value.slice(mark.length)) ? [[pointer, value.slice(mark.length)]] : []);
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...marksIn(inner as Json, pointer + pointerOf(key))]));
}

function withTexts(value: Json, pointer: string, text: (pointer: string) => string | undefined): Json {
  if (typeof value === 'string') return text(pointer) ?? value;
  if (Array.isArray(value)) return value.map((item: Json, index) => withTexts(item, `${pointer}/${index}`, text));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner, pointer + pointerOf(key), text)]))
    : value;
}

interface Body extends Omit<Section, 'pointer'> {
  readonly text: string;
}

/** The text below each heading that the front matter refers to. */
function bodiesIn(
  lines: readonly string[],
  from: number,
  named: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ReadonlyMap<string, Body> | MarkdownFault {
  const headings: { readonly name: string; readonly line: number }[] = [];
  for (let line = from; line < lines.length; line += 1) {
    const written = lines[line] ?? '';
    const name = written.startsWith(mark) ? written.slice(mark.length) : undefined;
    if (name !== undefined && named.has(name)) {
      if (headings.some((heading) => heading.name === name)) return { type: 'repeatedSection', line, name };
      headings.push({ name, line });
    } else if (name !== undefined && known.has(name)) return { type: 'unnamedSection', line, name };
    else if (headings.length === 0 && written.trim() !== '') return { type: 'strayText', line };
  }
  return new Map(
    headings.map(({ name, line }, index) => {
      let start = line + 1;
      let end = headings[index + 1]?.line ?? lines.length;
      if (start < end && lines[start] === '') start += 1;
      if (start < end && lines[end - 1] === '') end -= 1;
      const escaped = new Set<number>();
      const text = lines.slice(start, end).map((written, at) => {
        if (!isEscaped.test(written)) return written;
        escaped.add(start + at);
        return written.slice(1);
      });
      return [name, { line: start, end, escaped, text: text.join('\n') }];
    }),
  );
}

const isEscaped = /^\\+# /;

/** A line that looks like one of these headings, or is escaped already, gets a backslash, which Markdown does not show. */
function escapeLines(text: string, names: ReadonlySet<string>): string {
  if (!text.includes(mark)) return text;
  const lines = text.split('\n');
  return lines
    .map((line) => (isEscaped.test(line) || (line.startsWith(mark) && names.has(line.slice(mark.length))) ? `\\${line}` : line))
    .join('\n');
}

interface Change {
  /** The text as the file has it, if the change is made within it. */
  readonly before?: string;
  readonly value: string;
  readonly edits?: readonly TextReplacement[];
}

/** The new value of each text of the front matter, by its new pointer. A moved text is compared with its old value. */
function changesOf(
  json: string,
  places: ReadonlyMap<string, string>,
  bodies: ReadonlyMap<string, Body>,
  strings: ReadonlyMap<string, StringValue>,
): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  for (const [pointer, name] of places) {
    const text = bodies.get(name)?.text ?? '';
    const old = strings.get(`/${name}`);
    const literal = old && json.slice(old.start, old.end);
    const shownText = literal === undefined ? undefined : showLiteral(literal);
    if (old === undefined || literal === undefined || shownText === undefined) {
      changes.set(pointer, { value: text });
      continue;
    }
    const within = changeLiteral(literal, shownText, text);
    const value = JSON.parse(applyReplacements(literal, within)) as string;
    const edits = within.map((change) => ({ ...change, start: old.start + change.start, end: old.start + change.end }));
    changes.set(pointer, pointer === `/${name}` ? { before: JSON.parse(literal) as string, value, edits } : { value });
  }
  return changes;
}
