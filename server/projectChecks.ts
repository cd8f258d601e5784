import { type Checker, createChecker, type Missing } from '../core/check/checker.js';
import { placeUnlisted } from '../core/check/placeUnlisted.js';
import { createRuleContext } from '../core/check/ruleContext.js';
import type { ConfigFile } from '../core/config/configFile.js';
import { unreadable } from '../core/config/listConfigFiles.js';
import type { MemoryIndex } from '../core/config/memoryIndex.js';
import type { ProjectSettings } from '../core/config/projectSettings.js';
import type { Finding, PlacedFinding } from '../core/finding.js';
import { rules } from '../core/generated/rules.js';
import { placeFindings } from '../core/jsonText/placeFindings.js';
import { createModelTable } from '../core/llm/modelTable.js';
import { FileProblem } from '../core/ports.js';
import type { RuleContext } from '../core/rules/rule.js';
import { type ConfigDocument, maxTextBytes } from './configDocument.js';
import type { ServiceHost } from './host.js';

export interface ProjectChecksInit {
  readonly host: Pick<ServiceHost, 'environment' | 'today'>;
  /** Severities of the client's settings, which count before the project's own. */
  readonly severities: ProjectSettings['rules'];
  /** The committed value of an open file. */
  readonly base: RuleContext['base'];
  readonly index: () => MemoryIndex;
  readonly documentAt: (path: string) => ConfigDocument | undefined;
}

const noFindings: readonly PlacedFinding[] = [];

/** The rules on the files of a project: the engine of the command line's `check`, on texts that need not be saved. */
export class ProjectChecks {
  private readonly init: ProjectChecksInit;
  private severities: ProjectSettings['rules'];
  private checker: Checker | undefined;
  private cachedContext: RuleContext | undefined;
  /** What rules have requested; kept from then on. */
  private loaded: Pick<RuleContext, 'schemas' | 'patterns' | 'countTokens'> | undefined;
  private models: RuleContext['models'] | undefined;

  constructor(init: ProjectChecksInit) {
    this.init = init;
    this.severities = init.severities;
  }

  /** The context of the rules. The same object until a file changes. */
  get context(): RuleContext {
    this.cachedContext ??= this.create();
    return this.cachedContext;
  }

  /** Whether the findings are those of a day that is over. */
  get isOfAnotherDay(): boolean {
    return this.cachedContext !== undefined && this.cachedContext.asOf !== this.init.host.today();
  }

  /** To be called when a file has changed. */
  renew(): void {
    this.cachedContext = undefined;
  }

  /** To be called when agentstack.json has changed. */
  forgetSettings(): void {
    this.checker = undefined;
    this.models = undefined;
    this.cachedContext = undefined;
  }

  setSeverities(severities: ProjectSettings['rules']): void {
    this.severities = severities;
    this.checker = undefined;
  }

  /** Everything found in a file, or what has to be loaded first, for `load`. */
  check(document: ConfigDocument): readonly PlacedFinding[] | Missing {
    const { config, path = '', fileText } = document;
    if (document.isTooLarge) return placeFindings('', [unreadable(tooLarge(path))]);
    if (config === undefined) return noFindings;
    const { documentAt } = this.init;
    this.checker ??= createChecker(rules, { rules: this.chosen });
    const findings = this.checker.check(config, this.context);
    if (typeof findings === 'function') return findings;
    if (findings.length === 0) return noFindings;
    return placeFindings(fileText, findings, (other) => documentAt(other)?.fileText);
  }

  /** The findings that are not about a config file: a folder that cannot be listed, a link that leaves the project, YAML. */
  checkUnlisted(faults: readonly Finding[]): readonly PlacedFinding[] {
    return placeUnlisted(faults, this.chosen);
  }

  /** Those of the client's settings before the project's own. */
  get chosen(): ProjectSettings['rules'] {
    return { ...this.init.index().settings.rules, ...this.severities };
  }

  /** Loads what a rule has requested, for all files from now on. */
  async load(missing: Missing): Promise<void> {
    const { schemas, patterns, countTokens } = await missing(this.context);
    // Another file may have requested something else meanwhile.
    const { loaded } = this;
    this.loaded = {
      schemas: schemas ?? loaded?.schemas,
      patterns: patterns ?? loaded?.patterns,
      countTokens: countTokens ?? loaded?.countTokens,
    };
    this.cachedContext = undefined;
  }

  private create(): RuleContext {
    const index = this.init.index();
    this.models ??= createModelTable(index.settings.models);
    const agents = new Map<string, ConfigFile | undefined>();
    const agent = (name: string, version: string) => {
      const id = `${name}@${version}`;
      if (!agents.has(id)) agents.set(id, this.fileAt(index.ids('agent').get(id)));
      return agents.get(id);
    };
    const { host, base } = this.init;
    const orchestrationFile = (name: string) => this.fileAt(index.ids('orchestration').get(name));
    const context = createRuleContext({
      project: index,
      models: this.models,
      variables: host.environment,
      asOf: host.today(),
      agent,
      orchestrationFile,
      base,
    });
    return this.loaded === undefined ? context : { ...context, ...this.loaded };
  }

  private fileAt(path: string | undefined): ConfigFile | undefined {
    const config = path === undefined ? undefined : this.init.documentAt(path)?.config;
    return config?.foreign ? undefined : config;
  }
}

function tooLarge(path: string): FileProblem {
  const limit = maxTextBytes / 1024 / 1024;
  return new FileProblem('too-large', path, `${path} is not checked: it has more than ${limit} MB, the most a config file may have.`);
}
