import { type LinksFromPage, mostFileNames } from '../linkMessages.js';
import { findFileNames } from './fileNames.js';
import { button } from './page.js';

/** Longer texts get no links to files, in UTF-16 units. */
const longestText = 200_000;

/** What links in a text of a model do. */
export interface TextLinks {
  /** Gets the address of a link: only the extension may open it. */
  open(address: string): void;
  /** Turns the names of files in a complete text into links, as far as the extension finds these files. */
  markFiles(root: HTMLElement): void;
}

export interface PageLinks extends TextLinks {
  /** Which of these names are files. */
  receive(names: readonly string[], files: readonly string[]): void;
  /** Another run is shown, perhaps with other files. */
  forget(): void;
}

export function createTextLinks(post: (message: LinksFromPage) => void): PageLinks {
  const isFile = new Map<string, boolean>();
  const waiting = new Set<HTMLElement>();

  /** Replaces the names that are known to be files. Returns those that are not known yet. */
  function replaceNames(root: HTMLElement): ReadonlySet<string> {
    const unknown = new Set<string>();
    for (const node of textsIn(root)) {
      const names = findFileNames(node.data);
      for (const { name } of names) if (!isFile.has(name)) unknown.add(name);
      for (const { start, end, name, line, column } of names.filter(({ name }) => isFile.get(name)).reverse()) {
        const text = node.splitText(start);
        text.splitText(end - start);
        text.replaceWith(button({ class: 'link file', onclick: () => post({ type: 'openFile', name, line, column }) }, text.data));
      }
    }
    return unknown;
  }

  return {
    open: (address) => post({ type: 'openLink', address }),
    markFiles(root) {
      if ((root.textContent ?? '').length > longestText) return;
      const unknown = replaceNames(root);
      if (unknown.size === 0) return;
      waiting.add(root);
      post({ type: 'findFiles', names: [...unknown].slice(0, mostFileNames) });
    },
    receive(names, files) {
      for (const name of names) isFile.set(name, files.includes(name));
      for (const root of waiting) if (replaceNames(root).size === 0) waiting.delete(root);
    },
    forget() {
      isFile.clear();
      waiting.clear();
    },
  };
}

function textsIn(root: HTMLElement): readonly Text[] {
  return [...root.childNodes].flatMap((node) => {
    if (node instanceof Text) return node;
    return node instanceof HTMLElement && !node.classList.contains('link') ? textsIn(node) : [];
  });
}
