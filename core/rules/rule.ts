import type { ConfigFile } from '../config/configFile.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { Finding, Severity } from '../finding.js';
import type { JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import type { CountExactly } from '../llm/countExactly.js';
import type { ModelTable } from '../llm/modelTable.js';
import type { Patterns } from '../routing/patterns.js';
import type { RuleCode } from '../ruleCodes.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { ResolvedOrchestration } from '../snapshot/resolveOrchestration.js';
import type { ResolvedAgent } from '../snapshot/types.js';

/** Reports a finding; the engine adds code, severity and file. `severity` only where a rule's severity depends on the case. */
export type Report = (finding: Omit<Finding, 'code' | 'severity' | 'file'> & { severity?: Severity }) => void;

/** Everything that rules may read, the same for the editor, the CLI and a run. */
export interface RuleContext {
  readonly project: ProjectIndex;
  readonly models: ModelTable;
  /** Whether an environment variable is set; never its value. */
  readonly hasVariable: (name: string) => boolean;
  /** The effective config of an agent file in the project's environment; computed once per file. */
  readonly effective: (file: ConfigFile) => ResolvedAgent;
  /** The agents that the plan of an agent calls, directly or through other plans, by `name@version`, if they can be read. */
  readonly called: (caller: ResolvedAgent) => ReadonlyMap<string, ResolvedAgent>;
  /** The effective config of an orchestration in the project's environment; computed once per file. */
  readonly orchestration: (file: ConfigFile) => ResolvedOrchestration;
  /** An agent file that the checked file refers to (`readAgentsOf`); undefined where it is missing or unreadable. */
  readonly agent: (name: string, version: string) => ConfigFile | undefined;
  /** The orchestration that the checked payload is for; undefined where it is missing or unreadable. */
  readonly orchestrationFile: (name: string) => ConfigFile | undefined;
  /** The same file at the git base, or undefined (no git, new file, not JSON). */
  readonly base: (file: ConfigFile) => JsonObject | undefined;
  /** Present once a rule's `needsSchemas` has returned true. */
  readonly schemas: SchemaCompiler | undefined;
  /** For `matches`; present together with `schemas`. */
  readonly patterns: Patterns | undefined;
  /** USD: what a run of any agent or orchestration may cost at most, with `check --max-cost`. */
  readonly maxCost?: number | undefined;
  /** The day as of which files are judged, in ISO form. Undefined in a run: it asks the provider, not the calendar. */
  readonly asOf?: string | undefined;
  /** Present once a rule's `needsTokenizer` has named a model. */
  readonly countTokens: CountExactly | undefined;
}

/** The arguments of a rule's `check`, as one object. */
export interface CheckArguments {
  readonly file: ConfigFile;
  readonly context: RuleContext;
  readonly report: Report;
}

/**
 * A rule is a pure function of the file and the context. `text` rules run on every file;
 * `value` rules only on files that are valid JSON objects.
 */
export interface Rule {
  readonly code: RuleCode;
  readonly severity: Severity;
  /** Where the severity depends on the case: that of the gravest. */
  readonly gravest?: Severity;
  readonly kinds: readonly Kind[] | 'all';
  readonly on: 'text' | 'value';
  /** True when this file's check needs `context.schemas` (loading the schema compiler costs about 20 ms, once). */
  readonly needsSchemas?: (file: ConfigFile, context: RuleContext) => boolean;
  /** The model whose tokenizer this file's check needs and `context.countTokens` lacks (loading takes up to 170 ms and 40 MB). */
  readonly needsTokenizer?: (file: ConfigFile, context: RuleContext) => string | undefined;
  readonly check: (file: ConfigFile, context: RuleContext, report: Report) => void;
}
