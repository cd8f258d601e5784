import type { ConfigFile, FileIdentity } from '../config/configFile.js';
import { unreadable } from '../config/listConfigFiles.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { parseConfigFile, parseConfigObject } from '../config/parseConfigFile.js';
import type { Finding, PlacedFinding } from '../finding.js';
import { isObject, type JsonObject } from '../json.js';
import { placeFindings } from '../jsonText/placeFindings.js';
import { createModelTable, type ModelTable } from '../llm/modelTable.js';
import { type Environment, FileProblem, type FileSystem, type MaybePromise } from '../ports.js';
import { rules as allRules } from '../rules/index.js';
import type { Rule, RuleContext } from '../rules/rule.js';
import { type Checker, createChecker } from './checker.js';
import { checkLoading } from './checkFile.js';
import { namesAgents, readAgentsOf } from './readAgentsOf.js';
import { createRuleContext } from './ruleContext.js';

export interface ProjectCheckOptions {
  readonly files: FileSystem;
  readonly variables: Environment;
  /** What a run of any agent may cost at most, in USD. Default: only its own budget counts. */
  readonly maxCost?: number | undefined;
  /** Default: all. */
  readonly rules?: readonly Rule[] | undefined;
}

/** What became of a file. What is `gone` is no file of the project, or not any more; what is `later` has been neither remembered nor checked. */
export type Taken = 'read' | 'unreadable' | 'gone' | 'later';

export interface TakeOptions {
  /** Takes note of a file that was read. Default: it goes into the index. */
  readonly remember?: (file: ConfigFile) => void;
  /** Files that somebody else checks when all files are known. Default: none. */
  readonly isForLater?: (file: ConfigFile) => boolean;
}

const noAgents: ReadonlyMap<string, ConfigFile> = new Map();

/** Takes the files of a project one by one: reads, checks and forgets each. What stays is the index and what was found. */
export class ProjectCheck {
  readonly findings: PlacedFinding[] = [];
  /** Files checked, those that could not be read included. */
  count = 0;
  /** The text at the git base of the file that is taken next. */
  base: string | undefined;
  private readonly files: FileSystem;
  private readonly index: LoadedIndex;
  private readonly remember: (file: ConfigFile) => void;
  private readonly isForLater: ((file: ConfigFile) => boolean) | undefined;
  private readonly checker: Checker;
  private context: RuleContext;
  /** Agent files that the file being checked refers to, by `name@version`. */
  private agents: ReadonlyMap<string, ConfigFile> = noAgents;

  constructor({ files, variables, maxCost, rules }: ProjectCheckOptions, index: LoadedIndex, { remember, isForLater }: TakeOptions = {}) {
    this.files = files;
    this.index = index;
    this.remember = remember ?? ((file) => index.set(file));
    this.isForLater = isForLater;
    this.checker = createChecker(rules ?? allRules, index.settings);
    this.context = createRuleContext({
      project: index,
      models: modelsOf(index),
      variables,
      maxCost,
      agent: (name, version) => this.agents.get(`${name}@${version}`),
      base: (file) => this.baseOf(file),
    });
  }

  /** Reads a file; checks it when its findings are wanted. A promise only where something has to be waited for: of ten thousand files, each is felt. */
  take(path: string, identity: FileIdentity, wanted: boolean): MaybePromise<Taken> {
    let text: MaybePromise<string>;
    try {
      text = this.files.readText(path);
    } catch (error) {
      return this.takeUnreadable(path, identity, wanted, error);
    }
    if (typeof text === 'string') return this.takeText(path, identity, wanted, text);
    return text.then(
      (text) => this.takeText(path, identity, wanted, text),
      (error) => this.takeUnreadable(path, identity, wanted, error),
    );
  }

  private takeText(path: string, identity: FileIdentity, wanted: boolean, text: string): MaybePromise<Taken> {
    const file = parseConfigFile(path, text, identity);
    if (this.isForLater?.(file)) return 'later';
    this.remember(file);
    if (file.foreign) return 'gone';
    if (!wanted) return 'read';
    this.count += 1;
    // What a broken file refers to is as unknown as what an unreadable one does.
    const taken = file.value === undefined ? 'unreadable' : 'read';
    const found = namesAgents(file) ? undefined : this.checker.check(file, this.context);
    if (typeof found !== 'object') return this.finish(file, taken);
    return this.place(file.text, found)?.then(() => taken) ?? taken;
  }

  /** Checks a file whose rules need something that has to be loaded or read first. */
  private async finish(file: ConfigFile, taken: Taken): Promise<Taken> {
    if (namesAgents(file)) this.agents = await readAgentsOf(file, this.index, (path) => this.textOf(path));
    const { findings, context } = await checkLoading(this.checker, file, this.context);
    this.context = context;
    // What one file names is of no concern to the next.
    this.agents = noAgents;
    await this.place(file.text, findings);
    return taken;
  }

  private takeUnreadable(path: string, identity: FileIdentity, wanted: boolean, error: unknown): Taken {
    if (!(error instanceof FileProblem)) throw error;
    // Removed since it was listed: it is no part of the project any more.
    if (error.reason === 'not-found') {
      this.index.remove(path);
      return 'gone';
    }
    this.index.setUnreadable(path, identity);
    if (wanted) {
      this.count += 1;
      this.findings.push(...placeFindings('', [unreadable(error)]));
    }
    return 'unreadable';
  }

  /** A promise only where a finding has to do with places in other files. */
  private place(text: string, found: readonly Finding[]): Promise<void> | undefined {
    if (found.length === 0) return undefined;
    const others = new Set<string>();
    for (const { related = [], file } of found) for (const place of related) if (place.file !== file) others.add(place.file);
    if (others.size > 0) return this.textsOf(others).then((texts) => this.add(placeFindings(text, found, (file) => texts.get(file))));
    this.add(placeFindings(text, found));
    return undefined;
  }

  private add(placed: readonly PlacedFinding[]): void {
    // One by one: a file may have more findings than a call takes arguments.
    for (const finding of placed) this.findings.push(finding);
  }

  private async textsOf(paths: Iterable<string>): Promise<ReadonlyMap<string, string | undefined>> {
    const texts = new Map<string, string | undefined>();
    for (const path of paths) texts.set(path, await this.textOf(path));
    return texts;
  }

  private async textOf(path: string): Promise<string | undefined> {
    try {
      return await this.files.readText(path);
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
}

/** The table is made when the first rule asks, which in many a project none does. */
export function modelsOf({ settings }: Pick<LoadedIndex, 'settings'>): ModelTable {
  let table: ModelTable | undefined;
  const made = () => {
    table ??= createModelTable(settings.models);
    return table;
  };
  return {
    find: (name, provider) => made().find(name, provider),
    names: (provider) => made().names(provider),
    nearest: (name, provider) => made().nearest(name, provider),
  };
}
