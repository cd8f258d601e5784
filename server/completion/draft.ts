import type { Json } from '../../core/json.js';

/** A place to fill in: a tab stop of a snippet, or plain text for a client without snippets. */
export interface Hole {
  readonly hole: string;
  /** The first is inserted where there are no snippets. */
  readonly choices?: readonly string[];
  /** `string`: between quotes, `raw`: JSON as it is, `lines`: members or items of the object or list around it. */
  readonly as: 'string' | 'raw' | 'lines';
  /** Holes with the same twin share one tab stop. */
  readonly twin?: string;
}

/** JSON with holes to be filled in. Objects are lists of members, so that a key can be a hole too. */
export type Draft = { readonly json: Json } | Hole | ObjectDraft | { readonly items: readonly Draft[]; readonly inline?: true };

export interface ObjectDraft {
  readonly members: readonly (readonly [string | Hole, Draft])[];
}

/** How a draft is written into a file. */
export interface DraftStyle {
  readonly snippets: boolean;
  /** One level of the file. */
  readonly indent: string;
  /** Indentation of the line the draft begins on; empty where the client indents. */
  readonly base: string;
  readonly eol: string;
}

export const json = (value: Json): Draft => ({ json: value });
export const text = (hole = '', twin?: string): Hole => ({ hole, as: 'string', ...(twin !== undefined && { twin }) });
export const raw = (hole: string): Hole => ({ hole, as: 'raw' });
/** A hole that offers several values. */
export const choice = (choices: readonly string[], as: 'string' | 'raw' = 'string'): Hole => ({ hole: choices[0] ?? '', choices, as });
export const object = (...members: ObjectDraft['members']): ObjectDraft => ({ members });
export const list = (...items: readonly Draft[]): Draft => ({ items });
/** An object or list with the cursor in it. */
export const openObject: Draft = { members: [['', { hole: '', as: 'lines' }]] };
export const openList: Draft = { items: [{ hole: '', as: 'raw' }] };

/** The text of a value, or of the members of an object without its braces. */
export function writeDraft(draft: Draft, style: DraftStyle, of: 'value' | 'members' = 'value'): string {
  const writer = new Writer(style);
  return of === 'members' && 'members' in draft ? writer.members(draft.members, style.base) : writer.value(draft, style.base);
}

/** `"key": value` */
export function writeMember(key: string | Hole, value: Draft, style: DraftStyle): string {
  return new Writer(style).member(key, value, style.base);
}

/** The inside of a JSON string. */
export function escapeText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Text that a snippet shows as it is. */
export function escapePlain(value: string): string {
  return value.replace(/[\\$]/g, '\\$&');
}

class Writer {
  private readonly style: DraftStyle;
  private stops = 0;
  private readonly twins = new Map<string, number>();

  constructor(style: DraftStyle) {
    this.style = style;
  }

  value(draft: Draft, base: string): string {
    if ('hole' in draft) return this.hole(draft);
    if ('json' in draft) return this.plain(this.jsonText(draft.json, base));
    const inner = base + this.style.indent;
    if ('items' in draft) {
      if (isOpen(draft.items[0])) return `[${this.stop('')}]`;
      const isShort = draft.items.every(
        (item) => 'hole' in item || ('json' in item && (item.json === null || typeof item.json !== 'object')),
      );
      if (isShort) return `[${draft.items.map((item) => this.value(item, base)).join(', ')}]`;
      return this.block('[', draft.items.map((item) => this.value(item, inner)).join(this.separator(inner)), ']', base);
    }
    const [first] = draft.members;
    if (first === undefined) return this.plain('{}');
    if (isOpen(first[1])) return this.style.snippets ? this.block('{', this.stop(''), '}', base) : '{}';
    return this.block('{', this.members(draft.members, inner), '}', base);
  }

  members(members: readonly (readonly [string | Hole, Draft])[], base: string): string {
    return members.map(([key, value]) => this.member(key, value, base)).join(this.separator(base));
  }

  member(key: string | Hole, value: Draft, base: string): string {
    const name = typeof key === 'string' ? this.plain(JSON.stringify(key)) : this.hole(key);
    return `${name}: ${this.value(value, base)}`;
  }

  private hole({ hole, choices, as, twin }: Hole): string {
    const quote = as === 'string' ? '"' : '';
    const escaped = (value: string) => (as === 'string' ? escapeText(value) : value);
    if (!this.style.snippets) return `${quote}${escaped(hole)}${quote}`;
    const tabStop = twin === undefined ? undefined : this.twins.get(twin);
    if (tabStop !== undefined) return `${quote}$${tabStop}${quote}`;
    if (twin !== undefined) this.twins.set(twin, this.stops + 1);
    const body = choices === undefined || choices.length < 2 ? this.stop(escaped(hole)) : this.choices(choices.map(escaped));
    return `${quote}${body}${quote}`;
  }

  private stop(value: string): string {
    if (!this.style.snippets) return value;
    this.stops += 1;
    return value === '' ? `$${this.stops}` : `\${${this.stops}:${value.replace(/[\\$}]/g, '\\$&')}}`;
  }

  private choices(values: readonly string[]): string {
    this.stops += 1;
    return `\${${this.stops}|${values.map((value) => value.replace(/[\\$},|]/g, '\\$&')).join(',')}|}`;
  }

  private plain(value: string): string {
    return this.style.snippets ? escapePlain(value) : value;
  }

  private block(open: string, body: string, close: string, base: string): string {
    const { eol, indent } = this.style;
    return `${open}${eol}${base}${indent}${body}${eol}${base}${close}`;
  }

  private separator(base: string): string {
    return `,${this.style.eol}${base}`;
  }

  /** Short lists and objects are written on one line. */
  private jsonText(value: Json, base: string): string {
    const flat = flatText(value);
    if (typeof value !== 'object' || value === null || flat.length <= longestLine) return flat;
    return JSON.stringify(value, null, this.style.indent).replaceAll('\n', this.style.eol + base);
  }
}

const longestLine = 60;

function isOpen(draft: Draft | undefined): boolean {
  return draft !== undefined && 'hole' in draft && (draft.as === 'lines' || (draft.as === 'raw' && draft.hole === ''));
}

function flatText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flatText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatText(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
