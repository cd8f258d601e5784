import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import { count } from '../../page/words.js';
import type { FieldView, Post, ProblemsView, ToPage } from '../messages.js';

interface Field {
  readonly row: HTMLElement;
  readonly area: HTMLTextAreaElement;
  readonly issues: HTMLElement;
  view: FieldView;
  update(view: FieldView): void;
}

/** The input the prompt is composed with: one text area for each key, and the cases. */
export function createInput(post: Post) {
  const fields = new Map<string, Field>();
  const rows = element('div', { class: 'fields' });
  const general = element('p', { class: 'issue', hidden: true });
  const cases = element('select', {
    id: 'case',
    onchange: () => post({ type: 'case', name: cases.value.slice(1) }),
  });
  const action = (label: string, name: 'save' | 'openCase') =>
    button({ class: 'secondary', onclick: () => post({ type: 'do', action: name }) }, label);
  const openCase = action(t('Open File'), 'openCase');
  const newKey = element('input', { type: 'text', 'aria-label': t('Name of a new key'), placeholder: t('Name of a new key') });
  const add = element(
    'form',
    {
      class: 'add',
      onsubmit: (event) => {
        event.preventDefault();
        const key = newKey.value.trim();
        if (key === '') return;
        newKey.value = '';
        focusedKey = key;
        if (fields.has(key)) focus(key);
        else post({ type: 'field', key, kind: 'text', text: '' });
      },
    },
    newKey,
    button({ class: 'secondary', type: 'submit' }, t('Add key')),
  );
  /** The key to be focused once the extension has made its field. */
  let focusedKey: string | undefined;

  const createField = (first: FieldView, id: number): Field => {
    const { key } = first;
    const send = () => {
      const { kind } = field.view;
      field.view = { ...field.view, text: area.value };
      cases.value = '';
      source.textContent = '';
      post({ type: 'field', key, kind, text: area.value });
    };
    const area = element('textarea', {
      id: `field${id}`,
      rows: 1,
      spellcheck: 'false',
      'aria-describedby': `about${id} issues${id}`,
      oninput: send,
    });
    const about = element('p', { class: 'muted about', id: `about${id}` });
    const issues = element('p', { class: 'issue', id: `issues${id}`, hidden: true });
    const json = button(
      {
        class: 'link toggle',
        'aria-pressed': 'false',
        title: t('Read {0} as JSON instead of text', key),
        'aria-label': t('Read {0} as JSON instead of text', key),
        onclick: () => {
          const kind = field.view.kind === 'json' ? 'text' : 'json';
          field.view = { ...field.view, kind };
          json.setAttribute('aria-pressed', String(kind === 'json'));
          post({ type: 'field', key, kind, text: area.value });
        },
      },
      t('JSON'),
    );
    const remove = button(
      { class: 'link', 'aria-label': t('Remove {0}', key), onclick: () => post({ type: 'removeField', key }) },
      '\u00d7',
    );
    const state = element('span', { class: 'muted' });
    const row = element(
      'div',
      { class: 'field' },
      element('div', { class: 'label' }, element('label', { for: area.id }, key), state, json, remove),
      area,
      about,
      issues,
    );
    const field: Field = {
      row,
      area,
      issues,
      view: first,
      update(view) {
        field.view = view;
        // The text being typed is newer than the state that comes back.
        if (document.activeElement !== area || view.units > 0) if (area.value !== view.text) area.value = view.text;
        const isLong = view.units > 0;
        area.readOnly = isLong;
        json.setAttribute('aria-pressed', String(view.kind === 'json'));
        state.textContent = view.isExtra ? t('not asked for') : view.isRequired ? '' : t('optional');
        remove.hidden = !view.isExtra;
        about.textContent = isLong
          ? t('{0} characters: too long to be edited here. Edit the payload file, or choose another payload.', count(view.units))
          : view.description;
        about.hidden = about.textContent === '';
      },
    };
    return field;
  };

  function focus(key: string): void {
    const field = fields.get(key);
    if (field === undefined) return;
    box.open = true;
    field.area.focus();
    field.row.scrollIntoView({ block: 'nearest' });
  }

  const source = element('span', { class: 'muted source' });
  const trouble = element('span', { class: 'trouble' });
  const none = element('p', { class: 'muted', hidden: true }, t('This agent names no input keys.'));
  const box = element(
    'details',
    { class: 'input' },
    element('summary', {}, t('Input'), source, trouble),
    element(
      'div',
      { class: 'cases' },
      element('label', { for: 'case', class: 'muted' }, t('Case')),
      cases,
      openCase,
      action(t('Save As...'), 'save'),
    ),
    general,
    none,
    rows,
    add,
  );
  let nextId = 0;
  return {
    box,
    focus,
    show({ fields: views, cases: names, current }: Extract<ToPage, { type: 'input' }>): void {
      const options = [
        element('option', { value: '' }, t('(not saved)')),
        ...names.map((name) => element('option', { value: `=${name}` }, name)),
      ];
      options.push(element('option', { value: '=' }, t('(empty)')));
      cases.replaceChildren(...options);
      cases.value = current === '' ? '' : `=${current}`;
      openCase.disabled = current === '';
      source.textContent = current === '' ? '' : ` · ${current}`;
      none.hidden = views.length > 0;
      for (const [key, { row }] of fields) {
        if (views.some((view) => view.key === key)) continue;
        row.remove();
        fields.delete(key);
      }
      views.forEach((view, index) => {
        let field = fields.get(view.key);
        if (field === undefined) {
          field = createField(view, nextId++);
          fields.set(view.key, field);
        }
        field.update(view);
        if (rows.children[index] !== field.row) rows.insertBefore(field.row, rows.children[index] ?? null);
      });
      if (focusedKey !== undefined && fields.has(focusedKey)) {
        focus(focusedKey);
        focusedKey = undefined;
      }
    },
    showIssues(issues: ProblemsView['issues']): void {
      trouble.textContent = issues.length === 0 ? '' : ` · ${t('The input would be refused')}`;
      const ofInput = issues.filter(({ key }) => !fields.has(key));
      general.hidden = ofInput.length === 0;
      general.textContent = ofInput.map(({ key, message }) => (key === '' ? message : `${key}: ${message}`)).join(' ');
      for (const [key, { area, issues: place }] of fields) {
        const keyIssues = issues.filter((issue) => issue.key === key);
        const text = keyIssues.map(({ message }) => message).join(' ');
        place.hidden = text === '';
        if (place.textContent !== text) place.textContent = text;
        area.setAttribute('aria-invalid', String(text !== ''));
      }
    },
  };
}
