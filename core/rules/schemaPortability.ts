import type { ConfigFile } from '../config/configFile.js';
import { providerFacts } from '../generated/providerFacts.js';
import { isObject } from '../json.js';
import { findStrictViolations, type StrictViolation, strictLimitsSource } from '../prompt/strictSchema.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import { contractOf, findField, misspeltKeywords, placeInField } from './facts/agentContract.js';
import { findSetting, layersOf } from './facts/layers.js';
import type { Rule, RuleContext } from './rule.js';

/**
 * A schema that the strict mode of the agent's provider refuses. It is still sent, but without the provider's guarantee that the
 * answer fits. One finding for the whole schema, each place in `related`.
 */
export const schemaPortability: Rule = {
  code: 'schema-portability',
  severity: 'warning',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    if (!isObject(file.value) || !mayBeStrict(file.value.provider) || file.value.tool_protocol === 'text') return;
    const schema = findField(file, context, 'output_schema');
    if (schema === undefined || !isObject(schema.value)) return;
    // A schema that the strictest models accept is accepted by every model and connection.
    if (findStrictViolations(schema.value, { fineTuned: true }).length === 0) return;
    const config = writtenConnection(file, context) ?? context.effective(file).config;
    // The answer of a plan is put together here: its schema is sent to no model.
    if (config.agent_type === 'orchestrating') return;
    if (!strictProviders.has(config.provider ?? 'openai') || config.tool_protocol === 'text') return;
    const all = findStrictViolations(schema.value, { fineTuned: config.model_name?.startsWith('ft:') === true });
    const violations = all.filter((violation) => !isReportedElsewhere(violation));
    const [first] = violations;
    // Strict mode fails at a misspelt keyword, which schema-keyword-unknown reports.
    if (first === undefined || misspeltKeywords(contractOf(schema.value, file, context)).length > 0) return;

    const provider = config.provider ?? 'openai';
    const more = violations.length === 1 ? '' : ` And ${violations.length - 1} more.`;
    report({
      ...placeInField(file, context, schema, violations.length === 1 ? first.pointer : ''),
      message: `The strict mode of ${provider} refuses this schema, so answers come without its guarantee. ${first.message}${more} Source: ${strictLimitsSource}.`,
      related: violations.slice(0, 20).map(({ pointer, message }) => ({
        file: schema.file,
        pointer: `${schema.pointer}${pointer}`,
        target: 'key',
        message,
      })),
      data: { provider, source: strictLimitsSource, violations },
    });
  },
};

type Connection = Partial<Pick<EffectiveAgent, 'agent_type' | 'provider' | 'tool_protocol' | 'model_name'>>;

/** The connection of the effective config; undefined where a variable decides. */
function writtenConnection(file: ConfigFile, context: RuleContext): Connection | undefined {
  const stack = layersOf(file, context);
  const settings =
    stack &&
    (['agent_type', 'provider', 'tool_protocol', 'model_name'] as const).map((name) => [name, findSetting(stack, name)?.value] as const);
  const written = settings?.filter(([, value]) => value !== undefined);
  return written?.every(([, value]) => typeof value === 'string' && !value.includes('${')) ? Object.fromEntries(written) : undefined;
}

const strictProviders: ReadonlySet<string> = new Set(
  providerFacts.filter(({ hasStrictSchemas }) => hasStrictSchemas).map(({ name }) => name),
);

/** A root that is not an object, a dangling `$ref` and a required name without property are errors for every provider; other rules report them. */
function isReportedElsewhere({ pointer, keyword }: StrictViolation): boolean {
  if (keyword === 'required') return pointer.endsWith('/required') && !pointer.endsWith('/properties/required');
  return pointer === '/type' || (keyword === '$ref' && pointer.endsWith('/$ref'));
}

/** The file's own provider is the highest layer: if it has no strict mode, nothing else matters. */
function mayBeStrict(provider: unknown): boolean {
  return typeof provider !== 'string' || strictProviders.has(provider) || provider.includes('${');
}
