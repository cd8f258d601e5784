import { splitAgentReference } from '../config/agentReference.js';
import type { ConfigFile } from '../config/configFile.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type JsonObject } from '../json.js';
import { withTokenizerOf } from '../llm/countExactly.js';
import type { ModelTable } from '../llm/modelTable.js';
import type { Environment } from '../ports.js';
import { loadPatterns } from '../routing/patterns.js';
import type { RuleContext } from '../rules/rule.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import { type ResolveTogether, resolveCalled } from '../snapshot/calledAgents.js';
import { resolveAgent } from '../snapshot/resolveAgent.js';
import { type ResolvedOrchestration, resolveOrchestration } from '../snapshot/resolveOrchestration.js';
import type { ResolvedAgent } from '../snapshot/types.js';

export interface RuleContextOptions {
  readonly project: ProjectIndex;
  readonly models: ModelTable;
  readonly variables: Environment;
  readonly schemas?: SchemaCompiler | undefined;
  /** Agent files that have been read because the checked file refers to them. Default: none, and rules about routing stay silent. */
  readonly agent?: ((name: string, version: string) => ConfigFile | undefined) | undefined;
  /** An orchestration that has been read because the checked payload is for it. Default: none. */
  readonly orchestrationFile?: ((name: string) => ConfigFile | undefined) | undefined;
  /** The value of a file at the git base, without `$schema` and `$ignore`. Default: there is no base. */
  readonly base?: ((file: ConfigFile) => JsonObject | undefined) | undefined;
  readonly maxCost?: number | undefined;
  readonly asOf?: string | undefined;
}

/** The context in which rules run. The effective config of the file checked last is kept, so all rules about one file share it. */
export function createRuleContext(options: RuleContextOptions): RuleContext {
  const { project, models, variables, schemas, agent, orchestrationFile, base, maxCost, asOf } = options;
  let last: { readonly file: ConfigFile; readonly resolved: ResolvedAgent } | undefined;
  let lastOrchestration: { readonly file: ConfigFile; readonly resolved: ResolvedOrchestration } | undefined;
  const findAgentFile = agent ?? (() => undefined);
  const agents: ResolveTogether['agents'] = {
    get(id) {
      const { name, version = '' } = splitAgentReference(id);
      const file = findAgentFile(name, version);
      return file !== undefined && isObject(file.value) ? { path: file.path, value: file.value } : undefined;
    },
  };
  return {
    project,
    models,
    hasVariable: (name) => variables.get(name) !== undefined,
    effective(file) {
      if (last?.file !== file) {
        const { name, version } = file.identity;
        if (version === undefined || !isObject(file.value))
          throw new Error(`${file.path} is not an agent file with a value, so it has no effective config`);
        const request = { agent_name: name, version, file: { path: file.path, value: file.value }, project, variables };
        last = { file, resolved: resolveAgent(request) };
      }
      return last.resolved;
    },
    called: (caller) => resolveCalled([caller], { project, variables, agents }).called,
    orchestration(file) {
      if (lastOrchestration?.file !== file) {
        const { path, value } = file;
        if (!isObject(value)) throw new Error(`${path} has no value, so it has no effective config`);
        lastOrchestration = { file, resolved: resolveOrchestration({ file: { path, value }, project, variables, agents }) };
      }
      return lastOrchestration.resolved;
    },
    agent: findAgentFile,
    orchestrationFile: orchestrationFile ?? (() => undefined),
    base: base ?? (() => undefined),
    schemas,
    patterns: undefined,
    maxCost,
    asOf,
    countTokens: undefined,
  };
}

/** The same context with the schema compiler and the engine of regular expressions, which are loaded only now. */
export async function withSchemas(context: RuleContext): Promise<RuleContext> {
  const { loadSchemaCompiler } = await import('../schema/schemaCompiler.js');
  const [schemas, patterns] = await Promise.all([loadSchemaCompiler(), loadPatterns()]);
  return { ...context, schemas, patterns };
}

/** The same context with the tokenizer of a model as well. */
export async function withTokenizer(context: RuleContext, model: string): Promise<RuleContext> {
  return { ...context, countTokens: await withTokenizerOf(model, context.countTokens) };
}
