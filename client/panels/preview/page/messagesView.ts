import { trimEnd } from '../../../../core/words.js';
import { t } from '../../page/l10n.js';
import { copyButton, element } from '../../page/page.js';
import { count } from '../../page/words.js';
import type { FactsView, PieceView, Post, Source, ToPage } from '../messages.js';

interface MessageBox {
  readonly box: HTMLElement;
  readonly role: HTMLElement;
  readonly tokens: HTMLElement;
  readonly text: HTMLElement;
  readonly more: HTMLElement;
  views: PieceView[];
}

/** The messages as the provider gets them, made of pieces that know where they come from. */
export function createMessages(post: Post) {
  const boxes: MessageBox[] = [];
  const list = element('div', { class: 'messages' });
  const legend = element('ul', { class: 'legend', 'aria-label': t('Where the text comes from') });
  const origin = element('footer', { class: 'origin' });
  let version = 0;
  let lit: readonly HTMLElement[] = [];
  let focusInput: (key: string) => void = () => undefined;
  let legendKey = '';

  const describe = ({ source, file, pointer, isDefault }: PieceView): string => {
    if (source === 'fixed') return t('The same words for every agent');
    if (source === 'input') return t('From the input: {0}', pointer.slice(1));
    const place = file === null ? pointer.slice(1) : `${file} ${pointer.slice(1).replaceAll('/', '.')}`;
    const layer = sourceText(source);
    return isDefault ? t('From {0}: {1}. Taken when the answer leaves the field out.', layer, place) : t('From {0}: {1}', layer, place);
  };

  const createPiece = (view: PieceView): HTMLElement => {
    const piece = element('span', {
      class: `piece from-${view.source}${view.isDefault ? ' is-default' : ''}`,
      role: view.source === 'fixed' ? undefined : 'link',
      tabindex: view.source === 'fixed' ? undefined : -1,
      'aria-description': describe(view),
    });
    // The line breaks that end a text carry no colour of their own.
    const end = trimEnd(view.text, '\n').length;
    const ink = element('span', { class: 'ink' });
    if (view.cut === undefined) ink.append(view.text.slice(0, end));
    else {
      const { at, units } = view.cut;
      ink.append(
        view.text.slice(0, at),
        element('em', { class: 'cut' }, t('... {0} characters ...', count(units))),
        view.text.slice(at, end),
      );
    }
    piece.append(ink, view.text.slice(end));
    return piece;
  };

  const createBox = (): MessageBox => {
    const index = boxes.length;
    const role = element('h2', { id: `role${index}` });
    const tokens = element('span', { class: 'muted' });
    const text = element('div', { class: 'text mono', role: 'group', 'aria-labelledby': role.id });
    const more = element('p', { class: 'muted more', hidden: true });
    const copy = copyButton(t('Copy'), () => post({ type: 'copy', what: 'message', index }));
    const box = element('section', { class: 'message' }, element('div', { class: 'message-head' }, role, tokens, copy), text, more);
    return { box, role, tokens, text, more, views: [] };
  };

  /** Where a piece is, found from its element. */
  const placeOf = (
    target: EventTarget | null,
  ): { box: MessageBox; message: number; piece: number; view: PieceView; at: HTMLElement } | undefined => {
    const at = target instanceof Element ? target.closest<HTMLElement>('.piece') : null;
    if (at === null) return undefined;
    const message = boxes.findIndex(({ text }) => text === at.parentElement);
    const box = boxes[message];
    if (box === undefined) return undefined;
    const piece = [...box.text.children].indexOf(at);
    const view = box.views[piece];
    return view === undefined ? undefined : { box, message, piece, view, at };
  };

  let hovered: HTMLElement | undefined;
  const hover = (target: EventTarget | null) => {
    const place = placeOf(target);
    if (place?.at === hovered) return;
    hovered?.classList.remove('is-hovered');
    hovered = place?.at;
    if (place === undefined) {
      origin.textContent = '';
      post({ type: 'leave' });
      return;
    }
    hovered?.classList.add('is-hovered');
    origin.textContent = place.view.source === 'fixed' ? describe(place.view) : `${describe(place.view)} · ${t('Enter opens it')}`;
    if (place.view.file === null) post({ type: 'leave' });
    else post({ type: 'hover', version, message: place.message, piece: place.piece });
  };

  const open = (target: EventTarget | null) => {
    const place = placeOf(target);
    if (place === undefined) return;
    if (place.view.source === 'input')
      focusInput(place.view.pointer.slice(1).split('/')[0]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? '');
    else if (place.view.file !== null) post({ type: 'open', version, message: place.message, piece: place.piece });
  };

  /** One piece of all can be reached with Tab, the others from there with the arrow keys. */
  let reachable: HTMLElement | undefined;
  const reach = (piece: HTMLElement | undefined) => {
    if (reachable !== undefined) reachable.tabIndex = -1;
    reachable = piece;
    if (piece !== undefined) piece.tabIndex = 0;
  };
  const all = () => [...list.querySelectorAll<HTMLElement>('.piece[tabindex]')];

  list.addEventListener('mouseover', ({ target }) => hover(target));
  list.addEventListener('mouseleave', () => hover(document.activeElement));
  list.addEventListener('focusin', ({ target }) => {
    const place = placeOf(target);
    if (place !== undefined) reach(place.at);
    hover(target);
  });
  list.addEventListener('focusout', () => hover(null));
  list.addEventListener('click', ({ target }) => {
    // Who selects text to copy it wants to stay.
    if (document.getSelection()?.isCollapsed !== false) open(target);
  });
  list.addEventListener('keydown', (event) => {
    if (placeOf(event.target) === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const pieces = all();
    const at = pieces.indexOf(event.target as HTMLElement);
    const next: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: pieces.length - 1,
    };
    const to = next[event.key];
    if (event.key === 'Enter' || event.key === ' ') open(event.target);
    else if (to === undefined) return;
    else pieces[to]?.focus();
    event.preventDefault();
  });

  const showLegend = () => {
    const sources = new Set(boxes.flatMap(({ views }) => views.map(({ source }) => source)));
    const present = legendOrder.filter((source) => sources.has(source));
    if (present.join() === legendKey) return;
    legendKey = present.join();
    legend.replaceChildren(
      ...present.map((source) =>
        element('li', {}, element('span', { class: `swatch from-${source}`, 'aria-hidden': 'true' }, 'a'), sourceText(source)),
      ),
    );
  };

  return {
    element: element('div', {}, legend, list),
    origin,
    onInput(focus: (key: string) => void): void {
      focusInput = focus;
    },
    apply(prompt: Extract<ToPage, { type: 'prompt' }>): void {
      if (prompt.base !== 0 && prompt.base !== version) {
        // A message was lost: everything is requested again.
        post({ type: 'ready' });
        return;
      }
      version = prompt.version;
      while (boxes.length > prompt.messages.length) boxes.pop()?.box.remove();
      prompt.messages.forEach(({ role, keepStart, keepEnd, pieces, more }, index) => {
        let box = boxes[index];
        if (box === undefined) {
          box = createBox();
          boxes.push(box);
          list.append(box.box);
        }
        if (box.role.dataset.role !== role) {
          box.role.dataset.role = role;
          box.role.textContent = role;
        }
        const end = box.views.length - keepEnd;
        for (let at = end - 1; at >= keepStart; at--) box.text.children[at]?.remove();
        const before = box.text.children[keepStart] ?? null;
        const added = document.createDocumentFragment();
        added.append(...pieces.map(createPiece));
        box.text.insertBefore(added, before);
        box.views.splice(keepStart, end - keepStart, ...pieces);
        box.more.hidden = more === 0;
        if (more > 0) box.more.textContent = t('{0} more characters are not shown.', count(more));
      });
      if (reachable?.isConnected !== true) reach(list.querySelector<HTMLElement>('.piece[tabindex]') ?? undefined);
      lit = lit.filter((piece) => piece.isConnected);
      showLegend();
    },
    showTokens({ messages, isEstimated }: FactsView['tokens']): void {
      boxes.forEach(({ tokens }, index) => {
        const tokenCount = messages[index];
        const number = tokenCount === undefined ? '' : count(tokenCount);
        const text = number === '' ? '' : t('{0} tokens', isEstimated ? t('about {0}', number) : number);
        if (tokens.textContent !== text) tokens.textContent = text;
      });
    },
    light({ version: of, pieces }: Extract<ToPage, { type: 'lit' }>): void {
      if (of !== version) return;
      const now = pieces.flatMap(([message, piece]) => {
        const child = boxes[message]?.text.children[piece];
        return child instanceof HTMLElement ? [child] : [];
      });
      const isNew = now.some((piece) => !lit.includes(piece));
      for (const piece of lit) if (!now.includes(piece)) piece.classList.remove('is-lit');
      for (const piece of now) piece.classList.add('is-lit');
      lit = now;
      if (isNew && !list.contains(document.activeElement)) now[0]?.scrollIntoView({ block: 'nearest' });
    },
  };
}

const legendOrder = ['agent', 'prompt', 'persona', 'llm', 'environment', 'system', 'task', 'call', 'default', 'input', 'fixed'] as const;

function sourceText(source: Source): string {
  const texts: Readonly<Record<Source, string>> = {
    agent: t('Agent file'),
    persona: t('Persona'),
    prompt: t('Prompt store'),
    llm: t('LLM profile'),
    environment: t('Environment'),
    system: t('System'),
    call: t('Call'),
    task: t('Task'),
    default: t('Built-in default'),
    input: t('Input'),
    fixed: t('Same for every agent'),
  };
  return texts[source];
}
