import type { ConfigFile } from '../config/configFile.js';
import { unreadable } from '../config/listConfigFiles.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import type { KnownFile } from '../config/memoryIndex.js';
import { parseConfigFile, parseConfigObject } from '../config/parseConfigFile.js';
import type { Finding, PlacedFinding } from '../finding.js';
import { rules as allRules } from '../generated/rules.js';
import { isObject, type JsonObject } from '../json.js';
import { placeFindings } from '../jsonText/placeFindings.js';
import { createModelTable } from '../llm/modelTable.js';
import { FileProblem } from '../ports.js';
import type { RuleContext } from '../rules/rule.js';
import { type Checker, createChecker } from './checker.js';
import { checkLoading } from './checkFile.js';
import { readAgentsOf } from './readAgentsOf.js';
import { createRuleContext } from './ruleContext.js';
import type { CheckProjectOptions } from './types.js';

/** Reads and checks the files of a project one by one. Only the index and the findings stay in memory. */
export class ProjectCheck {
  readonly findings: PlacedFinding[] = [];
  /** Files of the project whose findings are wanted, including those that could not be read. Other tools' files do not count. */
  count = 0;
  private readonly options: CheckProjectOptions;
  private readonly index: LoadedIndex;
  private readonly isWanted: (path: string) => boolean;
  private readonly checker: Checker;
  private context: RuleContext;
  /** Files that the file being checked refers to: agents by `name@version`, the orchestration of a payload by its name. */
  private agents: ReadonlyMap<string, ConfigFile> = new Map();
  /** The text at the git base of the file being checked. */
  private base: string | undefined;

  constructor(options: CheckProjectOptions, index: LoadedIndex, isWanted: (path: string) => boolean) {
    const { variables, maxCost, asOf, rules } = options;
    this.options = options;
    this.index = index;
    this.isWanted = isWanted;
    this.checker = createChecker(rules ?? allRules, index.settings);
    this.context = createRuleContext({
      project: index,
      models: createModelTable(index.settings.models),
      variables,
      maxCost,
      asOf,
      agent: (name, version) => this.agents.get(`${name}@${version}`),
      orchestrationFile: (name) => this.agents.get(name),
      base: (file) => this.valueAtBase(file),
    });
  }

  /** Adds a file to the index. Undefined when there is nothing to check: it is unreadable or not wanted. */
  async read({ path, identity }: KnownFile): Promise<ConfigFile | undefined> {
    const wanted = this.isWanted(path);
    try {
      const file = this.index.read.get(path) ?? parseConfigFile(path, await this.options.files.readText(path), identity);
      this.index.set(file);
      if (!wanted) return undefined;
      // Another tool's file is reported but not counted.
      if (file.foreign === undefined) this.count += 1;
      return file;
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      // A file that was removed since it was listed is no longer part of the project.
      if (error.reason === 'not-found') {
        this.index.remove(path);
        return undefined;
      }
      this.index.setUnreadable(path, identity);
      if (wanted) {
        this.count += 1;
        this.findings.push(...placeFindings('', [unreadable(error)]));
      }
      return undefined;
    }
  }

  /** @throws an error naming rule and file when a rule throws */
  async check(file: ConfigFile): Promise<void> {
    this.base = file.identity.kind === 'agent' ? await this.options.base?.readText(file.path) : undefined;
    this.agents = await readAgentsOf(file, this.index, (path) => this.textOf(path));
    const { findings, context } = await checkLoading(this.checker, file, this.context);
    // Keeps what this file's rules had loaded for the next file.
    this.context = context;
    await this.place(file.fileText, findings);
  }

  private async place(text: string, findings: readonly Finding[]): Promise<void> {
    const texts = new Map<string, string | undefined>();
    for (const { related = [], file } of findings) {
      for (const place of related) if (place.file !== file && !texts.has(place.file)) texts.set(place.file, await this.textOf(place.file));
    }
    // One by one: a file may have more findings than a call takes arguments.
    for (const finding of placeFindings(text, findings, (file) => texts.get(file))) this.findings.push(finding);
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
  private valueAtBase(file: ConfigFile): JsonObject | undefined {
    if (this.base === undefined) return undefined;
    if (this.base === file.text) return isObject(file.value) ? file.value : undefined;
    return parseConfigObject(this.base);
  }
}
