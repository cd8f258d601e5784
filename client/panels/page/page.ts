// What the pages share. They run in a sandboxed frame without network and show text, never HTML: nothing here parses markup.

/** Attributes by name; `undefined` and `false` leave one out, `true` sets it empty. Functions are listeners (`onclick`). */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** An element with attributes and children. Strings become text nodes, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice('on'.length), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

interface Host {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): Host;

/** The extension's side of the page. May be asked for once. */
export function connectHost(): Host {
  return acquireVsCodeApi();
}

/** Words of the interface in the user's language, with `{0}` for the first value. A word that is missing shows its key. */
export function createWords(): (key: string, ...values: readonly (string | number)[]) => string {
  const words: Readonly<Record<string, string>> = JSON.parse(document.body.dataset.strings ?? '{}');
  return (key, ...values) => (words[key] ?? key).replace(/\{(\d)\}/g, (all, index: string) => String(values[Number(index)] ?? all));
}
