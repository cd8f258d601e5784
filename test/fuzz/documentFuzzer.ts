import { type Diagnostic, ResponseError } from 'vscode-languageserver';
import { features } from '../../server/features/index.js';
import { createService, type LanguageService } from '../../server/service.js';
import { documentVersions } from '../../server/startServer.js';
import { documentOf } from '../support/documentOf.js';
import { corpus } from './corpus.js';
import { randomEdit } from './edits.js';
import { memoryHost, memoryRoot } from './memoryHost.js';
import { SeededRandom } from './random.js';

export interface FuzzReport {
  readonly seed: number;
  /** Texts made, each of them diagnosed with the whole project and compared with a fresh start. */
  readonly documents: number;
  /** Edits sent as ranges, as an editor sends them. */
  readonly edits: number;
  /** How many of the texts were valid JSON. */
  readonly validDocuments: number;
  readonly diagnostics: number;
  /** Different codes among the diagnostics. */
  readonly codes: readonly string[];
  /** Requests for other features, by method. */
  readonly requests: Readonly<Record<string, number>>;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly documents: number;
  /** Project path to text. Default: every kind of file there is. */
  readonly files?: Readonly<Record<string, string>>;
  readonly onProgress?: (documents: number) => void;
}

/**
 * Random edits of valid files through the language service: nothing throws, the service's text is the text that was typed, and after every
 * edit what it finds in all files of the project is what a service finds that starts with these texts.
 *
 * @throws Error with the seed and the texts, at the first fault
 */
export async function fuzzDocuments({ seed, documents, files = corpus, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const paths = Object.keys(files);
  const random = new SeededRandom(seed);
  const requests: Record<string, number> = {};
  const codes = new Set<string>();
  let [edits, validDocuments, diagnostics, made] = [0, 0, 0, 0];

  while (made < documents) {
    const session = await Session.start(files, files);
    // Every now and then a fresh start, so that one broken file does not hide what the others would show.
    for (let step = 0; step < 25 && made < documents; step++) {
      const path = random.pick(paths);
      if (random.below(4) === 0) session.reset(path);
      const few = 1 + random.below(3);
      for (let edit = 0; edit < few; edit++) session.edit(path, random);
      edits += few;
      made += 1;
      await session.ask(path, random, requests).catch((cause: unknown) => {
        throw new Error(session.describe(seed, made, path), { cause });
      });
      const found = await session.diagnoseAll();
      const fresh = await (await Session.start(files, session.texts)).diagnoseAll();
      for (const other of paths) compare(found.get(other) ?? [], fresh.get(other) ?? [], () => session.describe(seed, made, other));
      diagnostics += found.get(path)?.length ?? 0;
      for (const items of found.values()) for (const { code } of items) codes.add(String(code));
      if (isJson(session.texts[path] as string)) validDocuments += 1;
      if (made % 1000 === 0) onProgress?.(made);
    }
  }
  return { seed, documents: made, edits, validDocuments, diagnostics, codes: [...codes].sort(), requests };
}

/** The files open in a service, all files in the editor; the disk keeps the valid texts. */
class Session {
  readonly service: LanguageService;
  readonly texts: Record<string, string>;
  private readonly files: Readonly<Record<string, string>>;
  private version = 0;

  private constructor(service: LanguageService, files: Readonly<Record<string, string>>, texts: Readonly<Record<string, string>>) {
    this.service = service;
    this.files = files;
    this.texts = { ...texts };
  }

  /** @param files what is on disk */
  static async start(files: Readonly<Record<string, string>>, texts: Readonly<Record<string, string>>): Promise<Session> {
    const fail = (message: string, fields: unknown) => {
      const { error } = (fields ?? {}) as { error?: unknown };
      throw error instanceof Error ? error : new Error(message);
    };
    const logger = { log: (_level: string, message: string, fields?: unknown) => fail(message, fields) };
    const service = createService({ host: memoryHost(files), features, client: {}, logger, folders: [memoryRoot] });
    const session = new Session(service, files, texts);
    for (const path of Object.keys(files)) session.open(path);
    service.start();
    await service.workspace.ready();
    return session;
  }

  uri(path: string): string {
    return `file://${memoryRoot}/${path}`;
  }

  private open(path: string): void {
    this.version += 1;
    this.service.setDocument(documentOf(this.texts[path] as string, this.uri(path), this.version));
  }

  reset(path: string): void {
    this.texts[path] = this.files[path] as string;
    this.open(path);
  }

  /** Sent as a range. A place between CR and LF cannot be said in lines and characters, so what is typed is what the server understands. */
  edit(path: string, random: SeededRandom): void {
    const text = this.texts[path] as string;
    const lines = documentOf(text);
    const edit = randomEdit(text, random);
    const range = { start: lines.positionAt(edit.start), end: lines.positionAt(edit.end) };
    const [start, end] = [lines.offsetAt(range.start), lines.offsetAt(range.end)];
    this.texts[path] = text.slice(0, start) + edit.text + text.slice(Math.max(start, end));
    this.version += 1;
    this.service.setDocument(documentVersions.update(documentOf(text, this.uri(path)), [{ range, text: edit.text }], this.version));
    if (this.service.workspace.document(this.uri(path))?.text !== this.texts[path])
      throw new Error(`The text of ${path} is not what was typed`);
  }

  async diagnoseAll(): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const found = new Map<string, readonly Diagnostic[]>();
    for (const path of Object.keys(this.files)) found.set(path, (await this.service.diagnose(this.uri(path))).items);
    return found;
  }

  /** One request of a feature, at a random place. A refusal is an answer; anything else thrown is a fault. */
  async ask(path: string, random: SeededRandom, requests: Record<string, number>): Promise<void> {
    const method = random.pick(askable);
    const lines = documentOf(this.texts[path] as string);
    const at = random.below((this.texts[path] as string).length + 1);
    const position = lines.positionAt(at);
    const range = { start: position, end: lines.positionAt(Math.min((this.texts[path] as string).length, at + random.below(80))) };
    const params = {
      textDocument: { uri: this.uri(path) },
      position,
      positions: [position],
      range,
      context: { includeDeclaration: true, diagnostics: [], triggerKind: 1 },
      options: { tabSize: 2, insertSpaces: true },
      ch: random.pick(['}', ']', '\n']),
      newName: random.pick(['renamed', 'a.b', '', '__proto__', 'with "quotes"']),
      query: random.pick(['', 'a', 'tone']),
      previousResultId: 'none',
    };
    requests[method] = (requests[method] ?? 0) + 1;
    try {
      await this.service.request(method, params);
    } catch (error) {
      if (!(error instanceof ResponseError)) throw new Error(`${method} at ${at}`, { cause: error });
    }
  }

  describe(seed: number, made: number, path: string): string {
    const changed = Object.keys(this.files)
      .filter((other) => this.texts[other] !== this.files[other])
      .map((other) => `--- ${other}\n${JSON.stringify(this.texts[other])}`);
    return `seed ${seed}, document ${made}, ${path}\n${changed.join('\n')}`;
  }
}

/** Requests about a place or a document; those that take an item of another answer have nothing to take here. */
const askable = features
  .map(({ method }) => method)
  .filter((method) => method.startsWith('textDocument/') && method !== 'textDocument/diagnostic');

function compare(found: readonly Diagnostic[], fresh: readonly Diagnostic[], describe: () => string): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(fresh)];
  if (left !== right) throw new Error(`${describe()}\nfound after edits: ${left}\nfound afresh: ${right}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
