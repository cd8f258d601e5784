import type { DirectoryEntry, FileSystem } from './ports.js';

/** A project as it would be with these files in it. Nothing can be written. */
export function overlayFiles(files: FileSystem, texts: ReadonlyMap<string, string>): FileSystem {
  const refuse = (): never => {
    throw new Error('An overlay is only read.');
  };
  return {
    readText: (path) => texts.get(path) ?? files.readText(path),
    async readOpened(path) {
      const text = texts.get(path);
      return text === undefined ? files.readOpened(path) : { text, path, names: 1 };
    },
    async list(directory) {
      const prefix = directory === '' ? '' : `${directory}/`;
      const entries = new Map((await files.list(directory)).map((entry) => [entry.name, entry]));
      for (const path of texts.keys()) {
        if (!path.startsWith(prefix)) continue;
        const [name = '', ...below] = path.slice(prefix.length).split('/');
        const entry: DirectoryEntry = { name, kind: below.length > 0 ? 'directory' : 'file' };
        if (!entries.has(name)) entries.set(name, entry);
      }
      return [...entries.values()].sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
    },
    writeText: refuse,
    appendText: refuse,
  };
}
