import { isObject, type Json, type JsonObject } from '../json.js';
import { parseString } from './decodedString.js';
import { applyReplacements, type TextReplacement } from './jsonEdit.js';
import { renderJson, styleOf } from './jsonStyle.js';
import { parseJson } from './parseJson.js';
import { isPromptText, readPromptText } from './promptText.js';

/**
 * Edits of a config file's JSON text as edits of the file itself. In a prompt in Markdown, edits inside the template stay where they are; of the
 * front matter, only the fields that differ are written anew.
 *
 * @returns undefined if Markdown cannot express the result, such as a template with line ends of Windows
 */
export function editsOfFile(
  path: string,
  fileText: string,
  replacements: readonly TextReplacement[],
): readonly TextReplacement[] | undefined {
  if (!isPromptText(path)) return replacements;
  const { json, template, toFile } = readPromptText(fileText);
  const wanted = objectOf(applyReplacements(json, replacements));
  if (wanted === undefined) return undefined;
  const isInside = ({ start, end }: TextReplacement) => template.start <= start && end <= template.end;
  const others = replacements.filter((edit) => !isInside(edit));
  const inside = replacements.filter(isInside).map(({ start, end, text }) => {
    return { start: toFile(start), end: toFile(end), text: lineEndsLike(fileText, parseString(`"${text}"`) ?? '') };
  });
  const edits = [...inside, ...(others.length === 0 ? [] : frontEdits(fileText, applyReplacements(json, others)))];
  const sorted = edits.sort((left, right) => left.start - right.start || left.end - right.end);
  const isRight = (text: string) => isSame(readPromptText(text).json, wanted);
  if (isRight(applyReplacements(fileText, sorted))) return sorted;
  const whole = promptFileText(wanted);
  return whole !== undefined && isRight(whole) ? [{ start: 0, end: fileText.length, text: lineEndsLike(fileText, whole) }] : undefined;
}

/** The text of a file after edits of its JSON text. The same text if they cannot be made. */
export function fileTextAfter(path: string, fileText: string, replacements: readonly TextReplacement[]): string {
  return applyReplacements(fileText, editsOfFile(path, fileText, replacements) ?? []);
}

/** The text of a new Markdown file for a prompt; undefined for a template that Markdown would change. */
export function promptFileText({ template, ...fields }: JsonObject): string | undefined {
  if (typeof template !== 'string' || /\r\n|\r$/.test(template)) return undefined;
  const lines = Object.entries(fields).map(([name, value]) => `${memberText(name, value)}\n`);
  const isPlain = lines.length === 0 && !/^(?:\ufeff|---[ \t]*(?:\n|$))/.test(template);
  return isPlain ? `${template}\n` : `---\n${lines.join('')}---\n\n${template}\n`;
}

function frontEdits(fileText: string, after: string): readonly TextReplacement[] {
  const { json, members, close, body } = readPromptText(fileText);
  const before = objectOf(json) ?? {};
  const { template, ...fields } = objectOf(after) ?? {};
  const names = Object.keys(fields);
  const edits: TextReplacement[] = [];
  const taken = new Set<string>();
  for (const [index, { name, key, value, lines }] of members.entries()) {
    const other = names[index];
    // A field with another name in the same place has been renamed.
    const renamed = other !== undefined && !Object.hasOwn(fields, name) && !Object.hasOwn(before, other) ? other : undefined;
    const newName = renamed ?? name;
    taken.add(newName);
    const newValue = fields[newName];
    if (newValue === undefined) edits.push({ start: lines.start, end: lines.end, text: '' });
    else if (renamed !== undefined || JSON.stringify(before[name]) !== JSON.stringify(newValue))
      edits.push({ start: key.start, end: value.end, text: memberText(newName, newValue) });
  }
  const added = names.filter((name) => !taken.has(name)).map((name) => `${memberText(name, fields[name] as Json)}\n`);
  if (added.length > 0) {
    const text = lineEndsLike(fileText, close === undefined ? `---\n${added.join('')}---\n\n` : added.join(''));
    edits.push({ start: close ?? body.start, end: close ?? body.start, text });
  }
  if (typeof template === 'string' && template !== before.template) edits.push({ ...body, text: lineEndsLike(fileText, template) });
  return edits;
}

/** A name or version is written without quotes, as YAML usually is; everything else as JSON. */
function memberText(name: string, value: Json): string {
  const isPlain =
    typeof value === 'string' && /^[A-Za-z_][\w. -]*\w$|^[A-Za-z_]$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return `${/^[A-Za-z_$][\w$-]*$/.test(name) ? name : JSON.stringify(name)}: ${isPlain ? value : renderJson(value, { ...styleOf(''), isFlat: true }, '')}`;
}

function lineEndsLike(fileText: string, text: string): string {
  return fileText.includes('\r\n') ? text.replace(/\n/g, '\r\n') : text;
}

function objectOf(json: string): JsonObject | undefined {
  const { value } = parseJson(json);
  return isObject(value) ? value : undefined;
}

function isSame(json: string, { template, ...fields }: JsonObject): boolean {
  const { template: other, ...otherFields } = objectOf(json) ?? {};
  const sorted = (object: JsonObject) => JSON.stringify(Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1)));
  return template === other && sorted(fields) === sorted(otherFields);
}
