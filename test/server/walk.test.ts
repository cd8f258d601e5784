import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type Diagnostic, FileChangeType, ResponseError, type TextEdit, type WorkspaceEdit } from 'vscode-languageserver';
import { features } from '../../server/features/index.js';
import { createNodeHost } from '../../server/nodeHost.js';
import { ProjectPublisher } from '../../server/projectPublisher.js';
import { createService, type LanguageService } from '../../server/service.js';
import { SeededRandom } from '../fuzz/random.js';
import { documentOf } from '../support/documentOf.js';
import { fullCapabilities } from '../support/lspClient.js';
import { editText } from '../support/serverHarness.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { checkedFindings } from '../walk/checkedFindings.js';
import { differenceOf } from '../walk/differenceOf.js';
import { isPossible, nameOffset, nextStep, type Step, startFiles, stepWords } from '../walk/steps.js';

/** An editor that keeps deleted files open, as VS Code does, and watches files: of a folder that comes or goes, it tells the name only. */
class Editor {
  readonly base = temporaryFolder();
  private readonly service: LanguageService;
  private readonly open = new Map<string, { readonly version: number; readonly text: string }>();
  private readonly shown = new Map<string, readonly Diagnostic[]>();

  constructor() {
    for (const [path, text] of Object.entries(startFiles)) put(join(this.base, path), text);
    const host = createNodeHost({ trusted: true });
    const fail = (error: unknown) => {
      throw error;
    };
    const publisher: ProjectPublisher = new ProjectPublisher({
      service: () => this.service,
      send: async ({ uri, diagnostics }) => void this.shown.set(fileURLToPath(uri).slice(this.base.length + 1), diagnostics),
      onError: fail,
    });
    this.service = createService({
      host,
      features,
      client: { ...fullCapabilities, experimental: { projectDiagnostics: true } },
      logger: { log: (_level, message, fields) => fail(new Error(message, { cause: fields?.error })) },
      folders: [this.base],
      onAffected: (affected) => publisher.affected(affected),
    });
    this.service.start();
    this.publisher = publisher;
  }

  private readonly publisher: ProjectPublisher;

  async take(step: Step): Promise<void> {
    if (!isPossible(this.base, step)) return;
    switch (step.act) {
      case 'write':
        if (step.inside) this.type(step.path, step.text);
        this.write(step.path, step.text);
        break;
      case 'remove':
        rmSync(join(this.base, step.path), { recursive: true });
        this.tell([step.path, FileChangeType.Deleted]);
        break;
      case 'move':
        if (step.inside)
          await this.applyAnswer('workspace/willRenameFiles', { files: [{ oldUri: this.uri(step.path), newUri: this.uri(step.to) }] });
        this.move(step.path, step.to, step.inside);
        break;
      case 'rename':
        await this.rename(step.path, step.name);
        break;
      case 'open':
        this.type(step.path, readFileSync(join(this.base, step.path), 'utf8'));
        break;
      case 'close':
        this.close([...this.open.keys()].at(-1));
    }
    this.publisher.changedElsewhere();
  }

  /** Path, line and code of what is shown, without what a prompt is told for its agents. */
  problems(): readonly string[] {
    const lines = [...this.shown].flatMap(([path, diagnostics]) =>
      diagnostics
        .filter(({ message }) => typeof message !== 'string' || !message.startsWith('For config/'))
        .map(({ range, code }) => `${path}:${range.start.line + 1} ${code}`),
    );
    return lines.sort();
  }

  private async rename(path: string, newName: string): Promise<void> {
    const offset = nameOffset(this.base, path);
    if (offset === undefined) return;
    const text = readFileSync(join(this.base, path), 'utf8');
    this.type(path, text);
    await this.applyAnswer('textDocument/rename', {
      textDocument: { uri: this.uri(path) },
      position: documentOf(text).positionAt(offset),
      newName,
    });
  }

  /** What the server refuses is not done. */
  private async applyAnswer(method: string, params: unknown): Promise<void> {
    let edit: WorkspaceEdit | null;
    try {
      edit = (await this.service.request(method, params)) as WorkspaceEdit | null;
    } catch (error) {
      if (error instanceof ResponseError) return;
      throw error;
    }
    for (const change of edit?.documentChanges ?? []) {
      if (!('kind' in change)) this.edit(this.path(change.textDocument.uri), change.edits as TextEdit[]);
      else if (change.kind === 'rename') this.move(this.path(change.oldUri), this.path(change.newUri), true);
    }
  }

  private edit(path: string, edits: readonly TextEdit[]): void {
    const text = editText(this.open.get(path)?.text ?? readFileSync(join(this.base, path), 'utf8'), edits);
    if (this.open.has(path)) this.type(path, text);
    this.write(path, text);
  }

  private move(from: string, to: string, follows: boolean): void {
    const isFolder = statSync(join(this.base, from)).isDirectory();
    const parent = this.firstMissing(to);
    mkdirSync(dirname(join(this.base, to)), { recursive: true });
    renameSync(join(this.base, from), join(this.base, to));
    for (const [path, { text }] of [...this.open]) {
      if (!follows || (path !== from && !(isFolder && path.startsWith(`${from}/`)))) continue;
      this.close(path);
      const moved = to + path.slice(from.length);
      if (existsSync(join(this.base, moved))) this.type(moved, text);
    }
    this.tell([from, FileChangeType.Deleted], [parent, FileChangeType.Created]);
  }

  private write(path: string, text: string): void {
    const type = existsSync(join(this.base, path)) ? FileChangeType.Changed : FileChangeType.Created;
    const named = this.firstMissing(path);
    put(join(this.base, path), text);
    this.tell([named, type]);
  }

  private type(path: string, text: string): void {
    const version = (this.open.get(path)?.version ?? 0) + 1;
    this.open.set(path, { version, text });
    this.service.setDocument(documentOf(text, this.uri(path), version));
  }

  private close(path: string | undefined): void {
    if (path === undefined) return;
    this.open.delete(path);
    this.service.closeDocument(this.uri(path));
  }

  /** The topmost folder on the way that is not there yet, else the path itself. */
  private firstMissing(path: string): string {
    const segments = path.split('/');
    const missing = segments.findIndex((_, at) => !existsSync(join(this.base, ...segments.slice(0, at + 1))));
    return missing < 0 ? path : segments.slice(0, missing + 1).join('/');
  }

  private tell(...changes: readonly (readonly [string, FileChangeType])[]): void {
    // What is open and saved follows the disk.
    for (const [path, { text }] of [...this.open]) {
      const file = join(this.base, path);
      const isConcerned = changes.some(([changed]) => path === changed || path.startsWith(`${changed}/`));
      if (isConcerned && existsSync(file) && readFileSync(file, 'utf8') !== text) this.type(path, readFileSync(file, 'utf8'));
    }
    this.service.filesChanged(changes.map(([path, type]) => ({ uri: this.uri(path), type })));
  }

  private uri(path: string): string {
    return pathToFileURL(join(this.base, path)).href;
  }

  private path(uri: string): string {
    return fileURLToPath(uri).slice(this.base.length + 1);
  }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

test('after each of 100 steps, what is sent is what the command line finds', { timeout: 120_000 }, async () => {
  const given = process.env.TEST_SEED;
  const seed = given === 'random' ? Date.now() % 1_000_000 : Number(given ?? 20_260_101);
  const random = new SeededRandom(seed);
  const editor = new Editor();
  const taken: string[] = [];
  for (let at = 0; at < Number(process.env.AGENT_STACK_WALK_STEPS ?? 100); at++) {
    const step = nextStep(editor.base, random);
    taken.push(stepWords(step));
    await editor.take(step);
    const expected = [...(await checkedFindings(editor.base, 'project')), ...(await checkedFindings(editor.base, 'away'))];
    await expect
      .poll(() => differenceOf(editor.problems(), expected), { timeout: 5_000, interval: 5, message: `Seed ${seed}:\n${taken.join('\n')}` })
      .toEqual([]);
  }
});
