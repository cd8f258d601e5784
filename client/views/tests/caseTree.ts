import * as vscode from 'vscode';
import { configPrefix, identifyFile } from '../../../core/config/paths.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import { FileProblem, type FileSystem } from '../../../core/ports.js';
import { type Debouncer, debounce } from '../../debounce.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { type ListedCase, listCases } from './listCases.js';
import { createPacer, type Pace } from './pacer.js';
import type { CaseItem, CasePlace } from './types.js';

/** Most children shown at once. They are sent to the window as a whole, which takes time. */
const batch = 500;
/** Milliseconds between two batches: the window asks for what is new five times a second. */
const pause = 60;

/** Project -> agent or orchestration -> file -> case, in the Test Explorer. With one project in the workspace there is no level of projects. */
export class CaseTree implements vscode.Disposable {
  readonly #services: Services;
  readonly #controller: vscode.TestController;
  readonly #places = new WeakMap<vscode.TestItem, CasePlace>();
  readonly #tags = new Map<string, vscode.TestTag>();
  /** The latest request for each file, so that an answer that comes too late is dropped. */
  readonly #turns = new Map<string, number>();
  readonly #changes: Debouncer<string>;
  readonly #listener: vscode.Disposable;
  #loading: Promise<void> | undefined;
  #hasSeveral = false;

  constructor(services: Services, controller: vscode.TestController) {
    this.#services = services;
    this.#controller = controller;
    this.#changes = debounce((uris: readonly string[]) => this.#update(uris.map((uri) => vscode.Uri.parse(uri))), 200);
    this.#listener = services.projects.onDidChange((uri) => {
      if (this.#loading !== undefined) this.#changes.add(uri.toString());
    });
  }

  /** All files are listed. */
  ready(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  reload(): Promise<void> {
    this.#loading = this.#load();
    return this.#loading;
  }

  /** Reads one file now, rather than when its change is noticed. */
  async see(uri: vscode.Uri): Promise<void> {
    await this.ready();
    await this.#update([uri]);
  }

  /** The cases of a selection: all, or those in the chosen items, without those in the excluded ones. */
  cases(include: readonly vscode.TestItem[] | undefined, exclude: readonly vscode.TestItem[] = []): readonly CaseItem[] {
    const omitted = new Set(exclude);
    const casePlaces = new Map<vscode.TestItem, CasePlace>();
    const waiting = include === undefined ? membersOf(this.#controller.items) : [...include];
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      if (omitted.has(item)) continue;
      const place = this.#places.get(item);
      if (place !== undefined) casePlaces.set(item, place);
      waiting.push(...membersOf(item.children));
    }
    return [...casePlaces].map(([item, place]) => ({ item, place })).reverse();
  }

  place(item: vscode.TestItem): CasePlace | undefined {
    return this.#places.get(item);
  }

  dispose(): void {
    this.#changes.dispose();
    this.#listener.dispose();
  }

  async #load(): Promise<void> {
    const folders = await this.#services.projects.list();
    const hasSeveral = folders.length > 1;
    if (hasSeveral !== this.#hasSeveral) this.#controller.items.replace([]);
    this.#hasSeveral = hasSeveral;
    const pace = createPacer();
    const roots = new Set(folders.map(({ root }) => root));
    for (const item of hasSeveral ? membersOf(this.#controller.items) : []) if (!roots.has(item.id)) this.#controller.items.delete(item.id);
    for (const folder of folders) await this.#loadFolder(folder, pace);
  }

  async #loadFolder(folder: ProjectFolder, pace: Pace): Promise<void> {
    const files = createEditorFiles(folder);
    const { config_dir } = await readProjectSettings(files);
    const payloads = `${configPrefix({ config_dir })}payloads`;
    const kept = new Set<string>();
    for (const { name, kind } of await files.list(payloads)) {
      if (kind !== 'directory' || name.startsWith('.')) continue;
      for (const file of await files.list(`${payloads}/${name}`)) {
        await pace();
        const path = `${payloads}/${name}/${file.name}`;
        if (identifyFile(path, { config_dir })?.kind !== 'payload') continue;
        kept.add(path);
        await this.#loadFile(folder, files, path, pace);
      }
    }
    for (const path of this.#listed(folder)) if (!kept.has(path)) this.#remove(folder, path);
  }

  async #update(uris: readonly vscode.Uri[]): Promise<void> {
    const pace = createPacer();
    for (const uri of uris) {
      const folder = this.#services.projects.of(uri);
      const path = folder?.pathOf(uri);
      if (folder === undefined || path === undefined) continue;
      // Which folders there are, and where their files lie.
      if (path === 'agentstack.json') return void (await this.reload());
      const files = createEditorFiles(folder);
      if (identifyFile(path, await readProjectSettings(files))?.kind === 'payload') await this.#loadFile(folder, files, path, pace);
    }
  }

  async #loadFile(folder: ProjectFolder, files: FileSystem, path: string, pace: Pace): Promise<void> {
    const key = keyOf(folder, path);
    const turn = (this.#turns.get(key) ?? 0) + 1;
    this.#turns.set(key, turn);
    const isOutdated = () => this.#turns.get(key) !== turn;
    const text = await readIfThere(files, path);
    const listed = text === undefined ? { isWhole: true, isSet: false, cases: [] } : await listCases(nameOf(path), text, pace, isOutdated);
    // While a text is being typed, its previous cases are shown.
    if (listed === undefined || !listed.isWhole || isOutdated()) return;
    if (listed.cases.length === 0) return this.#remove(folder, path);
    const item = this.#fileItem(folder, path);
    const [only] = listed.cases;
    if (!listed.isSet && only !== undefined) {
      item.children.replace([]);
      this.#show(item, folder, path, only);
      return;
    }
    this.#places.delete(item);
    item.range = new vscode.Range(0, 0, 0, 0);
    await this.#showSet(item, listed.cases, (child, listedCase) => this.#show(child, folder, path, listedCase), isOutdated);
  }

  /** Cases are shown in batches, unless few have changed. */
  async #showSet(
    item: vscode.TestItem,
    cases: readonly ListedCase[],
    show: (child: vscode.TestItem, listedCase: ListedCase) => void,
    isOutdated: () => boolean,
  ): Promise<void> {
    const ids = new Set<string>();
    let added = 0;
    item.busy = cases.length > batch;
    for (const testCase of cases) {
      let id = `${item.id}#${testCase.name}`;
      // Two cases of one name are a finding, and both are listed.
      while (ids.has(id)) id += ' ';
      ids.add(id);
      const existing = item.children.get(id);
      const child = existing ?? this.#controller.createTestItem(id, labelOf(testCase.name), item.uri);
      show(child, testCase);
      if (existing === undefined) item.children.add(child);
      added += 1;
      if (added % batch === 0) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (isOutdated()) return;
      }
    }
    for (const child of membersOf(item.children)) if (!ids.has(child.id)) item.children.delete(child.id);
    item.busy = false;
  }

  #show(item: vscode.TestItem, folder: ProjectFolder, file: string, listedCase: ListedCase): void {
    const { name, pointer, tags, range, order, rangeOf } = listedCase;
    this.#places.set(item, { folder, subject: subjectOf(file), file, name, pointer, rangeOf });
    if (item.range === undefined || !item.range.isEqual(range)) item.range = range;
    const tagItems = tags.map((tag) => this.#tag(tag));
    if (item.tags.map(({ id }) => id).join() !== tagItems.map(({ id }) => id).join()) item.tags = tagItems;
    const sortText = String(order).padStart(6, '0');
    if (item.sortText !== sortText && pointer !== '') item.sortText = sortText;
  }

  #tag(id: string): vscode.TestTag {
    const tag = this.#tags.get(id) ?? new vscode.TestTag(id);
    this.#tags.set(id, tag);
    return tag;
  }

  #fileItem(folder: ProjectFolder, path: string): vscode.TestItem {
    const subject = subjectOf(path);
    const above = this.#hasSeveral
      ? this.#member(this.#controller.items, folder.root, folder.name, folder.uri).children
      : this.#controller.items;
    const { children } = this.#member(above, keyOf(folder, subject), subject);
    return this.#member(children, keyOf(folder, path), nameOf(path), folder.uriOf(path));
  }

  #member(items: vscode.TestItemCollection, id: string, label: string, uri?: vscode.Uri): vscode.TestItem {
    const existing = items.get(id);
    if (existing !== undefined) return existing;
    const item = this.#controller.createTestItem(id, label, uri);
    items.add(item);
    return item;
  }

  #subjects(folder: ProjectFolder): vscode.TestItemCollection | undefined {
    return this.#hasSeveral ? this.#controller.items.get(folder.root)?.children : this.#controller.items;
  }

  #listed(folder: ProjectFolder): readonly string[] {
    const subjects = this.#subjects(folder);
    const files = subjects === undefined ? [] : membersOf(subjects).flatMap(({ children }) => membersOf(children));
    return files.flatMap(({ uri }) => (uri && folder.pathOf(uri)) ?? []);
  }

  #remove(folder: ProjectFolder, path: string): void {
    const subjects = this.#subjects(folder);
    const subject = subjects?.get(keyOf(folder, subjectOf(path)));
    subject?.children.delete(keyOf(folder, path));
    if (subject?.children.size === 0) subjects?.delete(subject.id);
  }
}

function membersOf(items: vscode.TestItemCollection): vscode.TestItem[] {
  return [...items].map(([, item]) => item);
}

function keyOf({ root }: ProjectFolder, path: string): string {
  return `${root}//${path}`;
}

/** The folder of a payload file says whose it is. */
function subjectOf(path: string): string {
  return path.split('/').at(-2) ?? path;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '');
}

/** Without the name of the file, which is its parent. */
function labelOf(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

async function readIfThere(files: FileSystem, path: string): Promise<string | undefined> {
  try {
    return (await files.readText(path)).replace(/^\ufeff/, '');
  } catch (error) {
    // Deleted, too large or not text: `check` reports it.
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}
