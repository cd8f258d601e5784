import { type DirectoryEntry, FileProblem, type FileProblemReason, type FileSystem, type WriteOptions } from '../../core/ports.js';

/** A project in memory that behaves as one on disk does. */
export interface MemoryFiles extends FileSystem {
  /** Path to text, as it is now; change it to change the project from outside. */
  readonly texts: Map<string, string>;
  /** Paths (files or folders) whose next and every later use fails, and how. */
  readonly problems: Map<string, FileProblemReason>;
  /** Every path read, in order, once per read. */
  readonly reads: string[];
}

const limit = 10 * 1024 * 1024;

/** `memoryFiles({'config/agents/A2/v1.json': '{}'})`. Folders exist as far as files lie in them. */
export function memoryFiles(initial: Readonly<Record<string, string>> | ReadonlyMap<string, string> = {}): MemoryFiles {
  const texts = new Map(initial instanceof Map ? initial : Object.entries(initial));
  const problems = new Map<string, FileProblemReason>();
  const readOnly = new Set<string>();
  const reads: string[] = [];

  const fail = (reason: FileProblemReason, path: string): never => {
    throw new FileProblem(reason, path, `${path}: ${reason}`);
  };
  const check = (path: string) => {
    const isName = (segment: string) => !['', '.', '..'].includes(segment) && !/^[A-Za-z]:|[\\\0]/.test(segment);
    if (path !== '' && !path.split('/').every(isName)) fail('outside-project', path);
    const problem = problems.get(path);
    if (problem !== undefined) fail(problem, path);
  };
  const isDirectory = (path: string) => path === '' || [...texts.keys()].some((other) => other.startsWith(`${path}/`));
  const checkFolders = (path: string) => {
    const segments = path.split('/');
    for (let length = 1; length < segments.length; length++) {
      const folder = segments.slice(0, length).join('/');
      check(folder);
      if (texts.has(folder)) fail('io', path);
    }
  };
  const write = (path: string, text: string, options: WriteOptions) => {
    if (path === '') fail('outside-project', path);
    check(path);
    checkFolders(path);
    if (isDirectory(path)) fail('is-directory', path);
    if (options.exclusive && texts.has(path)) fail('exists', path);
    texts.set(path, Buffer.from(text).toString());
    if (options.readOnly) readOnly.add(path);
    else readOnly.delete(path);
  };

  const readText = (path: string): string => {
    if (path === '') fail('outside-project', path);
    check(path);
    reads.push(path);
    const text = texts.get(path);
    if (text === undefined) return isDirectory(path) ? fail('is-directory', path) : fail('not-found', path);
    if (Buffer.byteLength(text) > limit) return fail('too-large', path);
    return text;
  };

  return {
    texts,
    problems,
    reads,
    readText,
    readOpened: (path) => ({ text: readText(path), path, names: 1 }),
    list(directory) {
      check(directory);
      const above = directory.split('/').map((_, at, segments) => segments.slice(0, at + 1).join('/'));
      if (above.some((path) => texts.has(path))) fail('io', directory);
      const entries = new Map<string, DirectoryEntry>();
      const prefix = directory === '' ? '' : `${directory}/`;
      for (const path of texts.keys()) {
        if (!path.startsWith(prefix)) continue;
        const [name = '', ...below] = path.slice(prefix.length).split('/');
        const kind = problems.get(prefix + name) === 'outside-project' ? 'outside' : below.length > 0 ? 'directory' : 'file';
        entries.set(name, { name, kind });
      }
      return [...entries.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
    },
    writeText(path, text, options = {}) {
      write(path, text, options);
    },
    remove(path) {
      check(path);
      texts.delete(path);
    },
    appendText(path, text) {
      if (readOnly.has(path)) fail('no-permission', path);
      write(path, (texts.get(path) ?? '') + text, {});
    },
  };
}
