import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities, Position, TextDocumentIdentifier, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { isProject } from '../../core/node/findProject.js';
import { features } from '../../server/features/index.js';
import type { ServiceHost } from '../../server/host.js';
import { createNodeHost } from '../../server/nodeHost.js';
import { createService, type LanguageService } from '../../server/service.js';
import type { Affected } from '../../server/workspaceInit.js';
import { documentOf } from './documentOf.js';
import { temporaryFolder } from './temporaryFolder.js';
import { testDay } from './testDay.js';

export interface HarnessOptions {
  /** Whether the folder gets no agentstack.json, which makes every file in our places one of the project. */
  readonly bare?: true;
  /** Whether it resolves at once, while the files are still read. */
  readonly early?: true;
  readonly client?: ClientCapabilities;
  /** Section `agentStack`. */
  readonly settings?: unknown;
  /** In place of what Node's host does. */
  readonly host?: Partial<ServiceHost>;
  /** What the server logs. Default: a test in which it logs anything fails. */
  readonly onLog?: (message: string) => void;
  /** What the server shows the user as a warning. */
  readonly onWarning?: (message: string) => void;
  /** Values of environment variables. Default: none is set. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The language service on real files, without a process or a transport. */
export interface Harness {
  readonly service: LanguageService;
  /** Absolute path of the project. */
  readonly root: string;
  /** Paths of files whose findings may have changed, as the editor was told; `all` for all of them. */
  readonly affected: readonly string[];
  uri(path: string): string;
  /** Where the `|` of a file was; several are told apart by `index`. */
  at(path: string, index?: number): { readonly textDocument: TextDocumentIdentifier; readonly position: Position };
  request<Result = unknown>(method: string, params: unknown, signal?: AbortSignal): Promise<Result>;
  /** The text of a file as the server has it: the open document, or the one on disk. */
  text(path: string): string;
  /** Types: opens the file when it is not open and replaces its text, in the editor only. A `|` in it is the cursor from now on. */
  edit(path: string, text: string): void;
  close(path: string): void;
  /** Writes to the disk and tells the server, as a file watcher would. `undefined` removes. */
  write(path: string, text: string | undefined): void;
  /** Texts of the files that an edit changes, by project path, after it; edits of a file must not overlap. Created, renamed and deleted files are applied too. */
  applied(edit: WorkspaceEdit): Readonly<Record<string, string>>;
}

const capabilities: ClientCapabilities = {
  textDocument: { completion: { completionItem: { snippetSupport: true, resolveSupport: { properties: ['documentation', 'detail'] } } } },
};

/**
 * Opens a project of these files (project path to text); those with a `|` are opened in the editor without it. A literal `|` is written `||`.
 * The workspace is completely indexed when it resolves.
 */
export async function openServer(files: Readonly<Record<string, string>>, options: HarnessOptions = {}): Promise<Harness> {
  const { client = capabilities, settings, variables = {} } = options;
  const root = temporaryFolder();
  const cursors = new Map<string, readonly number[]>();
  const plain = new Map(Object.entries(files).map(([path, text]) => [path, takeCursors(path, text, cursors)]));
  for (const [path, text] of plain) put(join(root, path), text);
  const hasSettings = [...plain.keys()].some((path) => path.endsWith('agentstack.json'));
  if (options.bare === undefined && !hasSettings && !isProject(root)) put(join(root, 'agentstack.json'), '{}');
  const host = {
    ...createNodeHost({ trusted: true }),
    today: () => testDay,
    ...options.host,
    environment: {
      get: (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
      names: () => Object.keys(variables),
    },
  };
  const logger = {
    log: (_level: string, message: string, fields: unknown) => {
      if (options.onLog !== undefined) return options.onLog(message);
      throw new Error(`${message}: ${JSON.stringify(fields, errorWords)}`);
    },
  };
  const affected: string[] = [];
  const onAffected = ({ paths }: Affected) => affected.push(...(paths === 'all' ? ['all'] : paths));
  const service = createService({
    host,
    features,
    client,
    logger,
    folders: [root],
    onAffected,
    ...(options.onWarning && { showWarning: options.onWarning }),
  });
  service.setSettings(settings);
  const uri = (path: string) => pathToFileURL(join(root, path)).href;
  const versions = new Map<string, number>();
  const open = (path: string, text: string) => {
    const version = (versions.get(path) ?? 0) + 1;
    service.setDocument(documentOf(text, uri(path), version));
    versions.set(path, version);
  };
  const text = (path: string) => {
    const document = service.workspace.document(uri(path));
    if (document === undefined) throw new Error(`There is no file ${path}`);
    return document.fileText;
  };
  for (const [path, offsets] of cursors) if (offsets.length > 0) open(path, plain.get(path) ?? '');
  service.start();
  if (options.early === undefined) await service.workspace.ready();
  return {
    service,
    root,
    affected,
    uri,
    text,
    at(path, index = 0) {
      const offset = cursors.get(path)?.[index];
      if (offset === undefined) throw new Error(`${path} has no cursor ${index}`);
      return { textDocument: { uri: uri(path) }, position: documentOf(text(path)).positionAt(offset) };
    },
    async request<Result>(method: string, params: unknown, signal?: AbortSignal) {
      // The caller knows what the method answers.
      return (await service.request(method, params, signal && { signal })) as Result;
    },
    edit: (path, marked) => open(path, takeCursors(path, marked, cursors)),
    close(path) {
      versions.delete(path);
      service.closeDocument(uri(path));
    },
    write(path, written) {
      const file = join(root, path);
      if (written === undefined) rmSync(file, { recursive: true });
      else put(file, written);
      service.filesChanged([{ uri: uri(path), type: written === undefined ? 3 : 1 }]);
    },
    applied: (edit) =>
      applyEdit(edit, { text, toPath: (changed) => decodeURIComponent(changed).slice(decodeURIComponent(uri('')).length) }),
  };
}

function takeCursors(path: string, marked: string, cursors: Map<string, readonly number[]>): string {
  const offsets: number[] = [];
  let text = '';
  for (let at = 0; at < marked.length; at++) {
    if (marked[at] !== '|') text += marked[at];
    else if (marked[at + 1] === '|') {
      text += '|';
      at += 1;
    } else offsets.push(text.length);
  }
  cursors.set(path, offsets);
  return text;
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function errorWords(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.stack : value;
}

interface Texts {
  readonly text: (path: string) => string;
  readonly toPath: (uri: string) => string;
}

/** The texts of the files that an edit changes or creates, after it. */
export function applyEdit({ changes = {}, documentChanges }: WorkspaceEdit, { text, toPath }: Texts): Readonly<Record<string, string>> {
  const after: Record<string, string> = {};
  const current = (path: string) => after[path] ?? text(path);
  const steps = documentChanges ?? Object.entries(changes).map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }));
  for (const step of steps) {
    if (!('kind' in step)) {
      const path = toPath(step.textDocument.uri);
      after[path] = editText(current(path), step.edits as TextEdit[]);
    } else if (step.kind === 'create') after[toPath(step.uri)] = '';
    else if (step.kind === 'rename') {
      after[toPath(step.newUri)] = current(toPath(step.oldUri));
      delete after[toPath(step.oldUri)];
    } else delete after[toPath(step.uri)];
  }
  return after;
}

/** Edits are all about the same text, so they are made from the last to the first. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  const lines = documentOf(text);
  const places = edits.map(({ range, newText }) => ({ start: lines.offsetAt(range.start), end: lines.offsetAt(range.end), newText }));
  places.sort((left, right) => right.start - left.start || right.end - left.end);
  let edited = text;
  let before = Number.POSITIVE_INFINITY;
  for (const { start, end, newText } of places) {
    if (end > before) throw new Error(`Edits overlap at ${start}`);
    before = start;
    edited = edited.slice(0, start) + newText + edited.slice(end);
  }
  return edited;
}
