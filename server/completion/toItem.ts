import {
  type ClientCapabilities,
  type CompletionItem,
  type InsertReplaceEdit,
  InsertTextFormat,
  type TextEdit,
} from 'vscode-languageserver';
import { isPromptText } from '../../core/jsonText/promptText.js';
import type { Cursor } from '../cursor.js';
import type { Document } from '../document.js';
import { type Draft, type DraftStyle, escapePlain, escapeText, type Hole, writeDraft, writeMember } from './draft.js';
import type { Suggestion } from './suggestion.js';

/** The client's capabilities for completion. */
export interface Abilities {
  readonly snippets: boolean;
  readonly insertReplace: boolean;
  /** The client can insert lines unchanged; otherwise a client with snippets indents them like the line they begin on. */
  readonly asIs: boolean;
  readonly deprecatedTag: boolean;
  readonly commitCharacters: boolean;
  /** Documentation may come with `completionItem/resolve`. */
  readonly docsLater: boolean;
}

export function abilitiesOf({ textDocument }: ClientCapabilities): Abilities {
  const { completionItem: item = {} } = textDocument?.completion ?? {};
  return {
    snippets: item.snippetSupport === true,
    insertReplace: item.insertReplaceSupport === true,
    asIs: item.insertTextModeSupport?.valueSet?.includes(asIs) === true,
    deprecatedTag: item.tagSupport?.valueSet.includes(1) === true,
    commitCharacters: item.commitCharactersSupport === true,
    docsLater: item.resolveSupport?.properties.includes('documentation') === true,
  };
}

const asIs = 1;

/** What the items of one answer share. */
export interface ItemSetting {
  readonly document: Document;
  readonly cursor: Cursor;
  readonly offset: number;
  readonly abilities: Abilities;
  /** Indentation of one level. */
  readonly indent: string;
  readonly eol: string;
}

/** Converts suggestions to LSP items. */
export function createItemMaker(setting: ItemSetting): (suggestion: Suggestion, index: number) => CompletionItem {
  const { document, cursor, offset, abilities } = setting;
  const { text } = document;
  const { token, quotes } = cursor;
  const base = indentOf(text, token.start);
  const isRelative = abilities.snippets && !abilities.asIs;
  // YAML requires the lines of a value to be indented, and has neither quotes around keys nor commas between members.
  const isFront = isPromptText(document.path ?? '') && cursor.path.length <= 1;
  const lineStart = isFront ? setting.indent : isRelative ? '' : base;
  const style: DraftStyle = { snippets: abilities.snippets, indent: setting.indent, eol: setting.eol, base: lineStart };
  const inner = { start: token.start + 1, end: token.end - 1 };
  const isInside = quotes === 'closed' && inner.start <= offset && offset <= inner.end;
  const { before: commaAt, after: needsCommaAfter } = isFront ? { before: undefined, after: false } : cursor.needsComma;
  const commaEdit = (at: number): TextEdit => ({ range: document.rangeOf({ start: at, end: at }), newText: ',' });

  /** Replaces the whole token. */
  const whole = (newText: string, filter: string) => ({
    edit: { range: document.rangeOf(token), newText: newText + (needsCommaAfter ? ',' : '') },
    filter: quotes === 'none' || text[token.start] !== document.fileText[document.toFile(token.start)] ? filter : `"${filter}`,
    also: [] as TextEdit[],
  });
  /** Replaces the text between the quotes. */
  const between = (newText: string, filter: string) => {
    const edit: TextEdit | InsertReplaceEdit = abilities.insertReplace
      ? { newText, insert: document.rangeOf({ start: inner.start, end: offset }), replace: document.rangeOf(inner) }
      : { range: document.rangeOf(inner), newText };
    return { edit, filter, also: needsCommaAfter ? [commaEdit(token.end)] : [] };
  };
  const plain = (value: string) => (style.snippets ? escapePlain(value) : value);

  const change = (suggestion: Suggestion) => {
    switch (suggestion.type) {
      case 'part': {
        const cut = { start: suggestion.start, end: offset };
        const newText = plain(suggestion.text);
        const edit: TextEdit | InsertReplaceEdit =
          abilities.insertReplace && offset < suggestion.end
            ? { newText, insert: document.rangeOf(cut), replace: document.rangeOf(suggestion) }
            : { range: document.rangeOf(suggestion), newText };
        return { edit, filter: suggestion.text, also: [] };
      }
      case 'key': {
        const name = shownText(suggestion.key);
        if (cursor.hasColon) return isInside ? between(plain(escapeText(name)), name) : whole(plain(JSON.stringify(name)), name);
        const member = writeMember(suggestion.key, suggestion.value, style);
        return whole(isFront ? member.replace(/^"([\w\\$-]+)"/, '$1') : member, suggestion.label);
      }
      case 'members':
        return whole(writeMembers(suggestion.draft, setting, style, base), suggestion.label);
      case 'value': {
        const value = stringOf(suggestion.value);
        if (value !== undefined && isInside) return between(plain(escapeText(value)), value);
        return whole(writeDraft(suggestion.value, style), value ?? suggestion.label);
      }
    }
  };

  return (suggestion, index) => {
    const { edit, filter, also } = change(suggestion);
    const { label, kind, detail, docs, rank, deprecated, commit } = suggestion;
    const further = (suggestion.also ?? []).map(({ offset: at, text: newText }) => ({
      range: document.rangeOf({ start: at, end: at }),
      newText,
    }));
    const additional = [...(commaAt === undefined || suggestion.type === 'part' ? [] : [commaEdit(commaAt)]), ...also, ...further];
    const item: CompletionItem = {
      label,
      kind,
      sortText: `${rank}${String(index).padStart(4, '0')}`,
      insertTextFormat: style.snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
      textEdit: edit,
    };
    // Clients filter by the label when there is no filter text.
    if (filter !== label) item.filterText = filter;
    if (detail !== undefined) item.detail = detail;
    if (abilities.asIs) item.insertTextMode = asIs;
    if (deprecated && abilities.deprecatedTag) item.tags = [1];
    else if (deprecated) item.deprecated = true;
    if (additional.length > 0) item.additionalTextEdits = additional;
    if (commit !== undefined && abilities.commitCharacters) item.commitCharacters = [...commit];
    if (docs !== undefined && abilities.docsLater) item.data = { uri: document.uri, docs };
    return item;
  };
}

/** In an object on one line, the members get lines of their own. */
function writeMembers(draft: Draft, { document, cursor, eol, indent }: ItemSetting, style: DraftStyle, base: string): string {
  const { text } = document;
  const isFirst = /\{[ \t]*$/.test(text.slice(Math.max(0, cursor.token.start - 200), cursor.token.start));
  const isLast = /^[ \t]*\}/.test(text.slice(cursor.token.end, cursor.token.end + 200));
  const level = isFirst ? style.base + indent : style.base;
  const members = writeDraft(draft, { ...style, base: level }, 'members');
  const closing = isLast ? eol + (isFirst ? style.base : style.base.slice(0, Math.max(0, base.length - indent.length))) : '';
  return `${isFirst ? eol + level : ''}${members}${closing}`;
}

function shownText(key: string | Hole): string {
  return typeof key === 'string' ? key : key.hole;
}

function stringOf(value: Draft): string | undefined {
  return 'json' in value && typeof value.json === 'string' ? value.json : undefined;
}

/** The indentation of the line an offset is on. */
export function indentOf(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  let end = start;
  while (end < offset && (text[end] === ' ' || text[end] === '\t')) end += 1;
  return text.slice(start, end);
}

/** The file's indentation of one level: the smallest increase from one line to the next. Two spaces by default. */
export function indentUnitOf(text: string): string {
  let best: string | undefined;
  let before = '';
  const lines = /(?:^|[\r\n])([ \t]*)[^\s]/g;
  for (let count = 0, line = lines.exec(text); line !== null && count < 200; count++, line = lines.exec(text)) {
    const indent = line[1] ?? '';
    if (indent.length > before.length && indent.startsWith(before)) {
      const step = indent.slice(before.length);
      if (best === undefined || step.length < best.length) best = step;
    }
    before = indent;
  }
  return best ?? '  ';
}

export function eolOf(text: string): string {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}
