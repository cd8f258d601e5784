import { t } from '../../page/l10n.js';
import { element } from '../../page/page.js';
import { richText } from '../../page/richText.js';
import type { TextLinks } from '../../page/textLinks.js';
import type { ViewField } from '../messages.js';
import { showLongText } from './longText.js';

/** Strings above this many UTF-16 units get a region of their own to scroll. */
const longAbove = 2_000;

/** A list of fields that is updated in place: unchanged fields are left alone. */
export interface Fields {
  readonly root: HTMLElement;
  show(fields: readonly ViewField[]): void;
}

export interface FieldsOptions {
  /** Show for each field whether it fits the schema. */
  readonly verdicts?: 'shown';
  /** The texts are a model's, which may be Markdown with links. */
  readonly links?: TextLinks;
}

export function createFields({ verdicts, links }: FieldsOptions = {}): Fields {
  const root = element('dl', { class: 'fields' });
  const rows = new Map<string, { readonly key: string; readonly row: HTMLElement }>();
  return {
    root,
    show(fields) {
      for (const [name, { row }] of rows) {
        if (fields.some((field) => field.name === name)) continue;
        row.remove();
        rows.delete(name);
      }
      let before: Element | null = null;
      for (const field of fields) {
        const key = `${field.verdict} ${field.isDefault} ${field.text.length} ${field.text}`;
        let drawn = rows.get(field.name);
        if (drawn?.key !== key) {
          const row = toRow(field);
          if (drawn) drawn.row.replaceWith(row);
          else root.append(row);
          drawn = { key, row };
          rows.set(field.name, drawn);
        }
        const nextElement: Element | null = before === null ? root.firstElementChild : before.nextElementSibling;
        if (nextElement !== drawn.row) root.insertBefore(drawn.row, nextElement);
        before = drawn.row;
      }
    },
  };

  function toRow({ name, text, isJson, isDefault, verdict }: ViewField): HTMLElement {
    const value = element('dd', { class: isJson ? 'mono' : '' });
    if (isJson || links === undefined) value.append(rawText(name, text));
    else value.append(richText({ text, raw: () => rawText(name, text), links }));
    if (isJson) links?.markFiles(value);
    if (isDefault) value.append(' ', element('span', { class: 'tag' }, t('default')));
    const mark =
      verdicts === 'shown'
        ? element(
            'span',
            { class: `verdict ${verdict}`, title: verdictWord(verdict) },
            element('span', { 'aria-hidden': 'true' }, verdict === 'valid' ? '✓' : verdict === 'invalid' ? '✗' : '·'),
            element('span', { class: 'visually-hidden' }, ` ${verdictWord(verdict)}`),
          )
        : undefined;
    return element('div', {}, element('dt', {}, name, mark), value);
  }
}

function rawText(name: string, text: string): HTMLElement {
  if (text.length <= longAbove) return element('span', { class: 'value' }, text === '' ? '""' : text);
  return showLongText(name, text);
}

function verdictWord(verdict: ViewField['verdict']): string {
  if (verdict === 'valid') return t('fits the schema');
  return verdict === 'invalid' ? t('does not fit the schema') : t('not checked');
}
