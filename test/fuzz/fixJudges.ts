import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { applyReplacements, JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { jsonTextOf } from '../../core/jsonText/promptText.js';
import { findSyntaxFaults } from '../../core/jsonText/syntaxFaults.js';
import { documentOf } from '../support/documentOf.js';
import { mayBring } from './mayBring.js';
import { duplicateKeys, isJson, lettersOf, lostParts, type Part, partsOf } from './textParts.js';

/** Project path to text. */
export type Files = Readonly<Record<string, string>>;

/** A finding and the file it is in. */
export interface Found extends Diagnostic {
  readonly path: string;
}

/** A project before and after a fix of one of its files. */
export interface Applied {
  readonly action: CodeAction;
  readonly path: string;
  readonly before: Files;
  readonly after: Files;
  /** Old path to new path. */
  readonly movedTo: ReadonlyMap<string, string>;
}

/** No fix makes a file that is not JSON, or that has a key twice. */
export function judgeFormat({ before, after, path }: Applied): readonly string[] {
  return Object.entries(after).flatMap(([file, written]) => {
    const old = before[file];
    const text = jsonTextOf(file, written).json;
    if (old === written || !isJson(old ?? '{}')) return [];
    if (!isJson(text)) return [`${file} is not JSON`];
    // A file that is moved keeps the keys that it has twice.
    const twice = duplicateKeys(text);
    return twice.length > duplicateKeys(old ?? before[path] ?? '').length ? [`${file} has a key twice: ${twice.join(', ')}`] : [];
  });
}

/** A fix of JSON loses nothing but what it is about; its finding is gone, and there is no new error. */
export function judgeFix(
  { action, path, before, after, movedTo }: Applied,
  finding: Found,
  findings: { readonly before: readonly Found[]; readonly after: readonly Found[]; readonly known: readonly Found[] | undefined },
): readonly string[] {
  const complaints: string[] = [];
  for (const [file, old] of Object.entries(before)) {
    const text = after[movedTo.get(file) ?? file] ?? '';
    const lost = text === old ? [] : lostParts(partsOf(old), partsOf(text), file === path ? placesOf(action, finding) : ['']);
    if (lost.length > 0) complaints.push(`${file} loses ${lost.join(', ')}`);
  }
  const count = (items: readonly Found[]) =>
    items.filter(({ code, message }) => code === finding.code && message === finding.message).length;
  // Of a key or value that is given again, the other one is found next.
  const isRepeated = duplicateKeys(before[path] ?? '').length > 0 || action.title === 'Remove the repeated value';
  if (!isRepeated && count(findings.after) >= count(findings.before)) complaints.push('leaves its finding');
  // What is silenced may have spoken for another error.
  const silences = action.title.startsWith('Ignore ');
  if (findings.known !== undefined && !silences) complaints.push(...newErrors(finding, findings.after, [findings.before, findings.known]));
  return complaints;
}

/** Where a fix may take something away. What it adds takes nothing. */
function placesOf({ title }: CodeAction, { code, data }: Found): readonly string[] {
  if (title.startsWith('Ignore ')) return ['/$ignore'];
  if (/^(Add|Insert|Create|Define|Declare)\b/.test(title)) return [];
  const { pointer = '' } = data as { readonly pointer?: string };
  return [pointer, ...(mayLoseAt[String(code)]?.(pointer) ?? [])];
}

/** Where else than at its finding a fix may take something away, by the code of the finding. */
const mayLoseAt: Readonly<Record<string, (pointer: string) => readonly string[]>> = {
  // The object around goes too when it is empty then.
  'foreign-name': (pointer) => [pointer.replace(/\/[^/]*$/, '') || pointer],
  'enum-missing': () => ['/output_schema'],
  'enums-match-schema': () => ['/enums', '/output_schema'],
  'enum-case-collision': () => ['/enums', '/output_schema'],
  'schema-portability': () => ['/output_schema'],
  'routing-shadowed': (pointer) => [pointer.replace(/\/condition$/, '')],
  'schema-keyword-unknown': (pointer) => [pointer.replace(/[^/]*$/, 'type')],
  'schema-unsatisfiable': (pointer) => [pointer.replace(/[^/]*$/, 'type')],
  'tool-choice-conflict': () => ['/agent_type'],
  // The whole declaration goes: the code says the same.
  'skill-differs': () => ['/skills'],
  // The whole verdict or expectation goes: nothing compares with it, and no run meets it.
  'baseline-stale': (pointer) => [pointer.replace(/(\/verdicts\/\d+)\/.*$/, '$1')],
  'baseline-invalid': (pointer) => [pointer.replace(/(\/verdicts\/\d+)\/.*$/, '$1')],
  'expectation-impossible': (pointer) => [pointer.replace(/(\/expect\/\d+)\/.*$/, '$1')],
  'expectation-unknown': (pointer) => [pointer.replace(/(\/expect\/\d+)\/.*$/, '$1')],
  'condition-operator-type': (pointer) => [pointer.replace(/[^/]*$/, 'value')],
};

function newErrors(finding: Found, after: readonly Found[], known: readonly (readonly Found[])[]): readonly string[] {
  const errorsIn = (items: readonly Found[], code: Found['code']) => items.filter((item) => item.severity === 1 && item.code === code);
  return [...new Set(after.map(({ code }) => code))].flatMap((code) => {
    const errors = errorsIn(after, code);
    if (known.some((items) => errors.length <= errorsIn(items, code).length)) return [];
    const allowed = mayBring[String(finding.code)];
    if (allowed === 'anything' || allowed?.includes(String(code))) return [];
    const words = new Set(known.flat().map(({ message }) => message));
    return errors.filter(({ message }) => !words.has(message)).map((item) => `brings ${item.path}: ${code}: ${item.message}`);
  });
}

/** A repaired text has the same words, and the fault is gone, or the next one is further on. */
export function judgeRepair(before: string, after: string, finding: Found, title: string): readonly string[] {
  const [old, now] = [findSyntaxFaults(before, 0), findSyntaxFaults(after, 0)];
  const at = documentOf(before).offsetAt(finding.range.start);
  const index = old.findIndex(({ range, message }) => range.start === at && message === finding.message);
  const next = now[index];
  const isLeft = now.length >= old.length && next !== undefined && next.range.start <= at;
  const mayChangeWords = /^(Write (?!double)|(Remove|Move) the comment|Remove the Markdown|Remove (the first|this) one)/.test(title);
  const isOther = !mayChangeWords && lettersOf(before) !== lettersOf(after);
  return [...(isLeft ? [`leaves ${next.message}`] : []), ...(isOther ? ['changes the words of the text'] : [])];
}

/** A fix-all loses nothing but the quotes of a number and one of two members that are alike; of broken JSON it makes what was meant, or leaves it broken. */
export function judgeFixAll(before: string, after: string, meant: string | undefined): readonly string[] {
  const source = isJson(before) ? before : meant;
  if (source === undefined || !isJson(source) || !isJson(after)) return [];
  const [old, now] = isJson(before) ? [source, after] : [source, after].map(withoutDescription);
  const lost = lostParts(valuesOf(old!), valuesOf(now!), duplicateKeys(source));
  const added = lostParts(valuesOf(now!), valuesOf(old!), []);
  const words = (text: string) => String((JSON.parse(text) as { description?: unknown }).description ?? '');
  if (old !== source && !words(after).startsWith(words(source))) return ['fix-all loses a part of the description'];
  return lost.length + added.length === 0 ? [] : [`fix-all makes ${added.join(', ')} of ${lost.join(', ')}`];
}

/** The words of comments are added to it. */
function withoutDescription(text: string): string {
  const edit = new JsonEdit(text);
  return edit.has('/description') ? applyReplacements(text, edit.remove('/description').replacements()) : text;
}

function valuesOf(text: string): readonly Part[] {
  const values = partsOf(text).filter(({ isKey }) => !isKey);
  return values.map((part) => ({ ...part, text: part.text.replace(/^"\s*(.*?)\s*"$/s, '$1') }));
}
