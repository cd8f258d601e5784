/**
 * As much of a browser's document as the pages of panels use, so that what they show can be read as text without a browser. Layout, focus rings and
 * styles are tested in the real editor (`test/e2e/ui`).
 */

class PageNode {
  parent: PageElement | undefined;

  get nextElementSibling(): PageElement | null {
    const nodes = this.parent?.children ?? [];
    const next = nodes.slice(nodes.indexOf(this) + 1).find((node) => node instanceof PageElement);
    return next instanceof PageElement ? next : null;
  }

  remove(): void {
    if (this.parent) this.parent.children = this.parent.children.filter((node) => node !== this);
    this.parent = undefined;
  }

  after(...nodes: readonly (PageNode | string)[]): void {
    this.parent?.put(nodes, this.parent.children.indexOf(this) + 1);
  }

  replaceWith(node: PageNode): void {
    this.after(node);
    this.remove();
  }
}

class PageText extends PageNode {
  data: string;
  constructor(data: string) {
    super();
    this.data = data;
  }
  get length(): number {
    return this.data.length;
  }
  get textContent(): string {
    return this.data;
  }
  appendData(text: string): void {
    this.data += text;
  }
  splitText(at: number): PageText {
    const rest = new PageText(this.data.slice(at));
    this.data = this.data.slice(0, at);
    this.after(rest);
    return rest;
  }
}

type Listener = (event: object) => void;

class PageElement extends PageNode {
  children: PageNode[] = [];
  readonly name: string;
  readonly attributes = new Map<string, string>();
  readonly dataset: Record<string, string> = {};
  readonly scrollHeight = 0;
  readonly clientHeight = 0;
  scrollTop = 0;
  disabled = false;
  value = '';
  rows = 1;
  checked = false;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(name: string) {
    super();
    this.name = name;
  }

  get id(): string {
    return this.attributes.get('id') ?? '';
  }
  get className(): string {
    return this.attributes.get('class') ?? '';
  }
  set className(value: string) {
    this.attributes.set('class', value);
  }
  set title(value: string) {
    this.attributes.set('title', value);
  }
  get hidden(): boolean {
    return this.attributes.has('hidden');
  }
  set hidden(value: boolean) {
    if (value) this.attributes.set('hidden', '');
    else this.attributes.delete('hidden');
  }
  get open(): boolean {
    return this.attributes.has('open');
  }
  set open(value: boolean) {
    if (value === this.open) return;
    if (value) this.attributes.set('open', '');
    else this.attributes.delete('open');
    this.dispatch('toggle', {});
  }
  get classList() {
    const toggle = (name: string, isOn = !this.className.split(' ').includes(name)) => {
      const others = this.className.split(' ').filter((each) => each !== name && each !== '');
      this.className = [...others, ...(isOn ? [name] : [])].join(' ');
    };
    const contains = (name: string) => this.className.split(' ').includes(name);
    return { toggle, contains, add: (name: string) => toggle(name, true), remove: (name: string) => toggle(name, false) };
  }
  get textContent(): string {
    return this.children.map((child) => (child instanceof PageElement || child instanceof PageText ? child.textContent : '')).join('');
  }
  set textContent(text: string | null) {
    this.replaceChildren(...(text === null || text === '' ? [] : [text]));
  }
  get childNodes(): readonly PageNode[] {
    return this.children;
  }
  get firstChild(): PageNode | null {
    return this.children[0] ?? null;
  }
  get lastChild(): PageNode | null {
    return this.children.at(-1) ?? null;
  }
  get firstElementChild(): PageElement | null {
    return this.elements()[0] ?? null;
  }

  elements(): PageElement[] {
    return this.children.filter((child) => child instanceof PageElement);
  }
  put(nodes: readonly (PageNode | string)[], at: number): void {
    const made = nodes.map((node) => (typeof node === 'string' ? new PageText(node) : node));
    for (const node of made) {
      node.remove();
      node.parent = this;
    }
    this.children.splice(at, 0, ...made);
  }
  append(...nodes: readonly (PageNode | string)[]): void {
    this.put(nodes, this.children.length);
  }
  appendChild<Node extends PageNode>(node: Node): Node {
    this.append(node);
    return node;
  }
  replaceChildren(...nodes: readonly (PageNode | string)[]): void {
    for (const child of [...this.children]) child.remove();
    this.append(...nodes);
  }
  insertBefore(node: PageNode, before: PageNode | null): void {
    node.remove();
    this.put([node], before === null ? this.children.length : this.children.indexOf(before));
  }
  contains(node: PageNode | null): boolean {
    return node === this || this.elements().some((child) => child.contains(node));
  }
  setAttribute(name: string, value: string): void {
    if (name === 'open') this.open = true;
    else if (name.startsWith('data-')) this.dataset[name.slice('data-'.length)] = value;
    else this.attributes.set(name, value);
  }
  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }
  dispatch(type: string, event: object): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }
  focus(): void {
    // Nothing here has the focus.
  }

  /** Those of a tag name or of a `.class`. */
  querySelectorAll(selector: string): PageElement[] {
    const fits = ({ name, className }: PageElement) =>
      selector.startsWith('.') ? className.split(' ').includes(selector.slice(1)) : name === selector;
    return this.elements().flatMap((child) => [...(fits(child) ? [child] : []), ...child.querySelectorAll(selector)]);
  }
  querySelector(selector: string): PageElement | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

/** An element, a line each, and what is in it indented; what is hidden is left out. */
export function drawPage(element: PageElement, indent = ''): string[] {
  if (element.hidden) return [];
  const attributes = [
    ...[...element.attributes].filter(([name, value]) => name !== 'class' || value !== ''),
    ...Object.entries(element.dataset).map(([name, value]) => [`data-${name}`, value]),
    ...(element.disabled ? [['disabled', '']] : []),
  ].map(([name, value]) => (value === '' ? ` ${name}` : ` ${name}=${JSON.stringify(value)}`));
  const head = `${indent}<${element.name}${attributes.join('')}>`;
  const parts = element.children.flatMap((child) => {
    if (child instanceof PageElement) return drawPage(child, `${indent}  `);
    return child instanceof PageText && child.data !== '' ? [`${indent}  ${JSON.stringify(child.data)}`] : [];
  });
  const [only] = parts;
  return parts.length === 1 && only?.trimStart().startsWith('"') ? [`${head} ${only.trimStart()}`] : [head, ...parts];
}

export interface Page {
  readonly body: PageElement;
  readonly sent: unknown[];
  /** What the page has after these messages of its host. */
  show(messages: readonly object[]): Promise<string>;
  /** Unfolds everything, and answers what the page asks its host for. */
  unfold(answer: (message: object) => object | undefined): Promise<string>;
  close(): void;
}

/** Loads the page of a panel, in English. The process has one document until `close`. @param main loads the page's module */
export async function openPage(main: () => Promise<unknown>): Promise<Page> {
  const body = new PageElement('body');
  const sent: unknown[] = [];
  const listeners: Listener[] = [];
  const frames: (() => void)[] = [];
  const globals = {
    HTMLElement: PageElement,
    Text: PageText,
    KeyboardEvent: class {},
    document: {
      body,
      activeElement: null,
      documentElement: { lang: 'en' },
      createElement: (name: string) => new PageElement(name),
    },
    window: {
      innerHeight: 0,
      scrollY: 0,
      scrollTo: () => undefined,
      addEventListener: (_type: string, listener: Listener) => void listeners.push(listener),
    },
    requestAnimationFrame: (paint: () => void) => void frames.push(paint),
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => void sent.push(message),
      getState: () => undefined,
      setState: () => undefined,
    }),
    setInterval: () => 0,
  };
  const before = new Map(Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  await main();
  async function paint(): Promise<string> {
    for (const frame of frames.splice(0)) frame();
    await Promise.resolve();
    return `${body
      .elements()
      .flatMap((child) => drawPage(child))
      .join('\n')}\n`;
  }
  return {
    body,
    sent,
    async show(messages) {
      for (const data of messages) for (const listener of listeners) listener({ data });
      return paint();
    },
    async unfold(answer) {
      for (let at = 0; at < body.querySelectorAll('details').length; at += 1) {
        const asked = sent.length;
        const fold = body.querySelectorAll('details')[at];
        if (fold) fold.open = true;
        for (const message of sent.slice(asked)) {
          const data = answer(message as object);
          if (data !== undefined) for (const listener of listeners) listener({ data });
        }
      }
      return paint();
    },
    close() {
      for (const [name, descriptor] of before) {
        if (descriptor) Object.defineProperty(globalThis, name, descriptor);
        else Reflect.deleteProperty(globalThis, name);
      }
    },
  };
}
