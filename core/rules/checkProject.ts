import type { ConfigFile, FileIdentity } from '../config/configFile.js';
import { type LoadedIndex, loadProjectIndex, unreadable } from '../config/loadProjectIndex.js';
import { parseConfigFile, parseConfigObject } from '../config/parseConfigFile.js';
import { placeFindings } from '../config/placeFindings.js';
import type { Finding, PlacedFinding } from '../finding.js';
import { isObject, type JsonObject } from '../json.js';
import { createModelTable, type ModelTable } from '../llm/modelTable.js';
import { type Clock, type Environment, FileProblem, type FileSystem } from '../ports.js';
import { type BaseFiles, readAhead } from './baseFiles.js';
import { type Checker, createChecker } from './checker.js';
import { withSchemas } from './checkFile.js';
import { rules as allRules } from './index.js';
import type { Rule, RuleContext } from './rule.js';
import { createRuleContext } from './ruleContext.js';

export interface CheckProjectOptions {
  readonly files: FileSystem;
  readonly variables: Environment;
  /** Project paths of files or folders whose findings are wanted; the empty string is the whole project. Default: all. Whatever rules need is read all the same. */
  readonly paths?: readonly string[] | undefined;
  /** What `schema-changed-in-place` compares with. Default: nothing. */
  readonly base?: BaseFiles | undefined;
  readonly countTokens?: RuleContext['countTokens'];
  /** Called some twenty times a second, and once at the end. */
  readonly onProgress?: ((progress: { readonly checked: number; readonly total: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Paces the turns of the event loop. Default: one every 32 files. */
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
  /** Default: all. */
  readonly rules?: readonly Rule[] | undefined;
}

export interface CheckReport {
  /** Sorted by file, place and code. */
  readonly findings: readonly PlacedFinding[];
  /** Files checked, those that could not be read included. */
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  /** Those of `paths` that name no config file and no folder with one. */
  readonly unmatched: readonly string[];
}

export type { BaseFiles };

/** Milliseconds between two turns of the event loop, where an abort can arrive and progress can be shown; and files between two looks at the time. */
const turn = { every: 50, files: 32 };

/**
 * Checks every config file of a project, or those under `paths`. Files are read, checked and forgotten one by one: memory holds the index
 * and what was found. What is wrong with a file, unreadable ones included, is a finding.
 *
 * @throws the signal's reason; an error naming rule and file when a rule throws
 */
export async function checkProject(options: CheckProjectOptions): Promise<CheckReport> {
  const { files, paths, onProgress, signal } = options;
  signal?.throwIfAborted();
  const index = await loadProjectIndex(files);
  const known = index.files();
  const isWanted = (path: string) => paths === undefined || paths.some((wanted) => covers(wanted, path));
  // Whether anything refers to an llm profile is known once every file has been read.
  const wantsUse = known.some(({ path, identity }) => identity.kind === 'llm' && isWanted(path));
  const toRead = wantsUse ? known : known.filter(({ path }) => isWanted(path));
  const inOrder = inReadingOrder(toRead);
  const check = new ProjectCheck(options, index);
  const hasBase = (file: { path: string; identity: FileIdentity }) => file.identity.kind === 'agent' && isWanted(file.path);
  const baseTexts =
    options.base === undefined
      ? undefined
      : readAhead(
          options.base,
          inOrder.filter(hasBase).map(({ path }) => path),
        );
  let done = 0;
  let lastTurn = options.clock?.monotonic() ?? 0;
  for (const file of inOrder) {
    check.base = hasBase(file) ? await baseTexts?.() : undefined;
    await check.take(file.path, file.identity, isWanted(file.path));
    done += 1;
    if (done % turn.files !== 0 || (signal === undefined && onProgress === undefined)) continue;
    const now = options.clock?.monotonic() ?? lastTurn + turn.every;
    if (now - lastTurn < turn.every) continue;
    lastTurn = now;
    onProgress?.({ checked: done, total: toRead.length });
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
  }
  check.takeUnlisted(isWanted);
  onProgress?.({ checked: toRead.length, total: toRead.length });
  const exists = (wanted: string) =>
    wanted === '' || known.some(({ path }) => covers(wanted, path)) || index.findings.some(({ file }) => covers(wanted, file));
  return { ...check.report(), unmatched: (paths ?? []).filter((wanted) => !exists(wanted)) };
}

function covers(wanted: string, path: string): boolean {
  return wanted === '' || path === wanted || path.startsWith(`${wanted}/`);
}

/** What others refer to comes last, when who refers to it is known. */
function inReadingOrder<T extends { readonly identity: FileIdentity }>(files: readonly T[]): readonly T[] {
  const isReferredTo = ({ identity }: T) => identity.kind === 'llm' || identity.kind === 'persona' || identity.kind === 'prompt';
  return [...files.filter((file) => !isReferredTo(file)), ...files.filter(isReferredTo)];
}

class ProjectCheck {
  private readonly options: CheckProjectOptions;
  private readonly index: LoadedIndex;
  private readonly checker: Checker;
  private readonly findings: PlacedFinding[] = [];
  private context: RuleContext;
  private count = 0;
  /** The text at the base of the file that is taken next. */
  base: string | undefined;

  constructor(options: CheckProjectOptions, index: LoadedIndex) {
    this.options = options;
    this.index = index;
    this.checker = createChecker(options.rules ?? allRules, index.settings);
    this.context = this.createContext();
  }

  /** Reads a file; checks it when its findings are wanted. */
  async take(path: string, identity: FileIdentity, wanted: boolean): Promise<void> {
    let text: string;
    try {
      text = await this.options.files.readText(path);
    } catch (error) {
      this.takeUnreadable(path, identity, wanted, error);
      return;
    }
    const file = parseConfigFile(path, text, identity);
    this.index.set(file);
    if (!wanted || file.foreign) return;
    this.count += 1;
    let found = this.checker.check(file, this.context);
    if (found === undefined) {
      this.context = await withSchemas(this.context);
      found = this.checker.check(file, this.context) ?? [];
    }
    if (found.length > 0) await this.place(text, found);
  }

  /** Folders that could not be listed, and links that leave the project: no files, so they are not counted. */
  takeUnlisted(isWanted: (path: string) => boolean): void {
    const listed = new Set(this.index.files().map(({ path }) => path));
    for (const finding of this.index.findings) {
      if (listed.has(finding.file) || !isWanted(finding.file)) continue;
      this.findings.push(...placeFindings('', [finding]));
    }
  }

  report(): Omit<CheckReport, 'unmatched'> {
    const findings = this.findings.sort(byPlace);
    const countOf = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
    return { findings, files: this.count, errors: countOf('error'), warnings: countOf('warning') };
  }

  private takeUnreadable(path: string, identity: FileIdentity, wanted: boolean, error: unknown): void {
    if (!(error instanceof FileProblem)) throw error;
    // Removed since it was listed: it is no part of the project any more.
    if (error.reason === 'not-found') {
      this.index.remove(path);
      return;
    }
    this.index.setUnreadable(path, identity);
    if (!wanted) return;
    this.count += 1;
    this.findings.push(...placeFindings('', [unreadable(error)]));
  }

  private async place(text: string, found: readonly Finding[]): Promise<void> {
    const texts = new Map<string, string | undefined>();
    for (const { related = [], file } of found) {
      for (const place of related) if (place.file !== file && !texts.has(place.file)) texts.set(place.file, await this.textOf(place.file));
    }
    // One by one: a file may have more findings than a call takes arguments.
    for (const finding of placeFindings(text, found, (file) => texts.get(file))) this.findings.push(finding);
  }

  private async textOf(path: string): Promise<string | undefined> {
    try {
      return await this.options.files.readText(path);
    } catch (error) {
      if (error instanceof FileProblem) return undefined;
      throw error;
    }
  }

  /** Rules compare only what has changed; the same text gives the same value without a second parse. */
  private baseOf(file: ConfigFile): JsonObject | undefined {
    if (this.base === undefined) return undefined;
    if (this.base === file.text) return isObject(file.value) ? file.value : undefined;
    return parseConfigObject(this.base);
  }

  private createContext(): RuleContext {
    const { variables, countTokens } = this.options;
    return createRuleContext({
      project: this.index,
      models: modelsOf(this.index),
      variables,
      countTokens,
      base: (file) => this.baseOf(file),
    });
  }
}

/** The table is made when the first rule asks, which in many a project none does. */
function modelsOf({ settings }: LoadedIndex): ModelTable {
  let table: ModelTable | undefined;
  const made = () => {
    table ??= createModelTable(settings.models);
    return table;
  };
  return { find: (name, provider) => made().find(name, provider), nearest: (name, provider) => made().nearest(name, provider) };
}

function byPlace(left: PlacedFinding, right: PlacedFinding): number {
  return (
    compare(left.file, right.file) ||
    left.range.start - right.range.start ||
    left.range.end - right.range.end ||
    compare(left.code, right.code) ||
    compare(left.message, right.message)
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
